"""Two imagined training steps, in a process of their own.

What goes wrong in torch's C++ ends this process and not the replay. It prints "ok", or why a simulation
cannot start here.
"""

from __future__ import annotations

import os


def main() -> None:
    """Try a linear model with Adam on the simulated GPU, and leave without torch's own clean-up."""
    from memlint.runtime.log import Log
    from memlint.runtime.simulate import guard

    reason = guard.why_not()
    if not reason:
        from memlint.runtime.simulate.probe import Simulated
        from memlint.runtime.tracker import Sites

        log = Log()
        probe = Simulated(log, Sites(log, lambda name: False), lambda *args: None, 1 << 40)
        reason = probe.install() or _steps(probe)
    print(reason or "ok", flush=True)
    os._exit(0)


def _steps(probe: object) -> str:
    import torch

    try:
        with probe:  # type: ignore[attr-defined]
            model = torch.nn.Linear(8, 8).cuda()
            optimizer = torch.optim.Adam(model.parameters())
            for _ in range(2):
                loss = model(torch.zeros(4, 8, device="cuda")).sum()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
    except Exception as error:
        return f"two steps of a linear model failed ({type(error).__name__}: {str(error).splitlines()[0]})"
    if torch.cuda.max_memory_allocated() == 0:
        return "two steps of a linear model allocated nothing"
    return ""
