"""Imagined training steps whose bytes are known by hand.

They run in a process of their own: what goes wrong in torch's C++ ends this process and not the replay. It
prints "ok", or why a simulation cannot start here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

SECONDS = 120
"""Processor time after which a trial is given up, torch's import included; a busy machine costs none."""

_WEIGHT = 256 * 256 * 4
_BATCH = 4 * 256 * 4
_LOSS = 512


def main() -> None:
    """Train a linear model on the simulated GPU, and leave without torch's own clean-up."""
    _limit()
    from memlint.runtime.simulate.memory import settings

    for name in settings.NAMES:  # the script's own
        os.environ.pop(name, None)
    from memlint.runtime.child.log import Log
    from memlint.runtime.simulate.patches import guard

    reason = guard.why_not()
    if not reason:
        from memlint.runtime import cards
        from memlint.runtime.child.tracking.sites import Sites
        from memlint.runtime.simulate.probe import Simulated

        log = Log()
        card = cards.of_size(1 << 40, bare=True)
        probe = Simulated(log, Sites(log, lambda name: False), lambda *args: None, card, card.usable)
        reason = probe.install() or _trial(probe)
    print(reason or "ok", flush=True)
    os._exit(0)


def _limit() -> None:
    """Let the system end this process when its processor time is over."""
    if sys.platform == "win32":  # It has no such limits; and no simulation, as the guard says.
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or hard > SECONDS:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, hard))


def _trial(probe: Any) -> str:
    """Why the bytes after each phase of two steps are not what they must be, "" where they are."""
    with probe:
        for number in (1, 2):
            phases = _step(probe)
            phase = "the first phase"
            try:
                for phase, expected in phases:
                    found = probe.allocator.allocated.now - probe.held("cuda")[0]["workspaces"]
                    if found != expected:
                        return f"after {phase} of step {number} a trial holds {found:,} B, not {expected:,} B"
            except Exception as error:
                first = str(error).partition("\n")[0]
                return f"a trial failed behind {phase} of step {number} ({type(error).__name__}: {first})"
    return ""


def _step(probe: Any) -> Iterator[tuple[str, int]]:
    """A step of training in mixed precision: each phase, and the bytes that it must leave."""
    import torch

    model = torch.nn.Linear(256, 256, bias=False).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    batch = torch.zeros(4, 256, device="cuda")
    yield "setup", _settled(probe, _WEIGHT + _BATCH)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        # The weight, the batch and the result, in half as many bytes.
        out = model(batch)
        yield "forward", _settled(probe, _WEIGHT + _BATCH + _WEIGHT // 2 + 2 * (_BATCH // 2))
    loss = out.float().sum()
    del out
    loss.backward()
    yield "backward", _settled(probe, 2 * _WEIGHT + _BATCH + _LOSS)
    optimizer.step()
    yield "the optimizer", _settled(probe, 4 * _WEIGHT + _BATCH + _LOSS)
    optimizer.zero_grad()
    yield "zero_grad", _settled(probe, 3 * _WEIGHT + _BATCH + _LOSS)


def _settled(probe: Any, expected: int) -> int:
    """Count what was released so far."""
    probe.allocator.settle()
    return expected
