"""A mistake of memlint is never the script's: its hook goes, the run goes on, the report says so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memlint.session import Arm
from tests.runtime.support import line_of, measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

TRAINING = """
import sys
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 1))
opt = torch.optim.Adam(net.parameters())
data = torch.utils.data.TensorDataset(torch.randn(64, 64))
said = []
def epoch():
    for (x,) in torch.utils.data.DataLoader(data, batch_size=16):
        loss = net(x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        said.append(loss.item().hex())
epoch()
# BREAK
epoch()
if len(sys.argv) > 1:
    assert said == sys.argv[1:], said
else:
    print(*said)
"""

FAULTS = {
    "birth": ("tracking.tracker.Tracker._born", "tensors are not followed any more"),
    "look": ("tracking.tracker.Tracker._see", "tensors are not followed any more"),
    "graph node": ("tracking.tracker.Tracker._note_node", "tensors are not followed any more"),
    "before a module": ("tracking.module_paths.ModulePaths.enter", "forward passes are not seen any more"),
    "after a module": ("tracking.module_paths.ModulePaths.leave", "forward passes are not seen any more"),
    "root": ("tracking.hooks.Hooks._root_forward", "forward passes are not seen any more"),
    "backward": ("tracking.hooks.Hooks._enter_backward", "backward() is not seen any more"),
    "after backward": ("tracking.hooks.Hooks._leave_backward", "backward() is not seen any more"),
    "step": ("tracking.hooks.STATE_STEPS", "optimizer steps are not counted any more"),
    "roles": (
        "tracking.module_paths.ModulePaths.owner",
        "parameters, gradients and optimizer state are not distinguished",
    ),
    "tick": ("limits.bounds.Bounds.tick", "the run is bounded by its time limit only"),
    "batches": ("limits.bounds.tensors", "batches are not distinguished from other tensors"),
    "pass": ("limits.passes.Loaders.opened", "passes over loaders are not bounded any more"),
    "full": ("limits.passes.Loaders.is_full", "passes over loaders are not bounded any more"),
    "holders": ("attribution.looks.Looks._look_back", "what holds the tensors that grow is not looked for"),
    "checks": ("results.checks.Checker._before_backward", "what rules ask about results is not watched"),
    "changes": ("changes.watch.Watch._look_back", "which changes the script would allow is not known"),
    "allocator": ("tracking.cuda.Allocator.sample", "the allocator's counters after each step"),
    "curve": ("attribution.analyse.curve", "the curve of live bytes is missing"),
    "result": ("attribution.analyse.device_of", "no figures could be read from the run"),
}
"""What is made to raise between the two epochs, and what the report then says."""

BREAKING = """
def fails(*args, **kwargs):
    raise IndexError("a fault of memlint")
import memlint.runtime.child.{module}
"""


def broken(what: str) -> str:
    found = re.fullmatch(r"((?:[a-z_]+\.)*[a-z_]+)\.([A-Z].*|[a-z_]+)", what)
    assert found is not None
    module, rest = found.groups()
    lines = BREAKING.format(module=module) + f"memlint.runtime.child.{what} = fails\n"
    if "." in rest:
        # Hooks keep bound methods: what is bound already must fail too.
        name = f"memlint.runtime.child.{what}"
        lines = lines.replace(f"{name} = fails", f"{name}.__code__ = code")
        lines = lines.replace('memlint")\n', 'memlint")\ncode = fails.__code__\n')
    return lines


def plainly(path: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=True, env={**os.environ}
    )
    return done.stdout.split()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return plainly(script(tmp_path_factory.mktemp("plain"), TRAINING))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_takes_away_its_hook_and_nothing_else(name: str, expected: list[str], tmp_path: Path) -> None:
    what, said = FAULTS[name]
    path = script(tmp_path / "home", TRAINING.replace("# BREAK\n", broken(what)))
    arm = measure(
        path, tmp_path / "w", *expected, steps=20, look=name == "holders", offers=name == "changes",
        checks=("gradients-summed",) if name == "checks" else (),
    )  # fmt: skip
    assert arm.failure is None
    assert arm.stopped == "the script ended"
    found = [line for line in arm.lost if said in line]
    assert len(found) == 1, arm.lost
    assert "memlint itself raised " in found[0]
    assert found[0].endswith(" (please report it)")
    if name != "result":
        assert len(arm.lost) == 1


def test_where_births_are_lost_no_number_is_of_a_later_time(expected: list[str], tmp_path: Path) -> None:
    fault = broken("tracking.tracker.Tracker._born") + "more = torch.zeros(10_000_000)\n"
    text = TRAINING.replace("# BREAK\n", fault)
    path = script(tmp_path / "home", text)
    arm = measure(path, tmp_path / "w", *expected, steps=20)
    assert len(arm.steps) == 4
    assert arm.peak.bytes < 1_000_000
    assert arm.peak.step <= 4
    assert arm.cut_short == "step 5"
    assert f"after train.py:{line_of(text.lstrip(), 'more = ')} tensors are not followed" in arm.lost[0]
    assert "at memlint/runtime/child/tracking/tracker.py" in arm.lost[0]


PASSING = """
import signal, sys, torch
{setup}
net = torch.nn.Linear(4, 4)
try:
    {code}
except BaseException as error:
    seen = type(error).__name__, str(error)
else:
    seen = None
assert seen == {expected}, seen
for _ in range(3):
    net.zero_grad()
    net(torch.randn(2, 4)).sum().backward()
"""

OWN = {
    "an alarm in a hook of memlint": (
        "import memlint.runtime.child.tracking.tracker, time\n"
        "def late(*args): raise TimeoutError('slow')\n"
        "signal.signal(signal.SIGALRM, late)\n"
        "real = memlint.runtime.child.tracking.tracker.Tracker._born\n"
        "def born(*args):\n"
        "    signal.raise_signal(signal.SIGALRM)\n"
        "    return real(*args)",
        "memlint.runtime.child.tracking.tracker.Tracker._born = born; torch.zeros(3)",
        ("TimeoutError", "slow"),
        "memlint.runtime.child.tracking.tracker.Tracker._born = real",
    ),
    "a hook on a module": (
        "def no(module, args): raise KeyError('mine')",
        "net.register_forward_pre_hook(no)(0) if False else (net.register_forward_pre_hook(no), net(0))",
        ("KeyError", "'mine'"),
        "net._forward_pre_hooks.clear()",
    ),
    "a hook on a gradient": (
        "def no(gradient): raise ValueError('bad gradient')",
        "x = torch.ones(2, requires_grad=True); x.register_hook(no); x.sum().backward()",
        ("ValueError", "bad gradient"),
        "",
    ),
    "Ctrl-C in a forward": (
        "class Stopped(torch.nn.Module):\n"
        "    def forward(self, x): raise KeyboardInterrupt\n",
        "torch.nn.Sequential(Stopped())(0)",
        ("KeyboardInterrupt", ""),
        "",
    ),
    "an index out of range": (
        "",
        "torch.nn.Embedding(4, 2)(torch.tensor(9))",
        ("IndexError", "index out of range in self"),
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_the_scripts_own_exceptions_pass_unchanged(name: str, tmp_path: Path) -> None:
    setup, code, expected, after = OWN[name]
    text = PASSING.format(setup=setup, code=code, expected=expected)
    text = text.replace("for _ in", f"{after}\nfor _ in", 1)
    arm = measure(script(tmp_path / "home", text), tmp_path / "w")
    assert arm.failure is None
    assert arm.lost == ()
    assert len(arm.steps) == 3


def test_a_step_that_failed_is_not_taken_as_running_for_ever(tmp_path: Path) -> None:
    arm: Arm = measure(
        script(
            tmp_path / "home",
            """
            import torch
            net = torch.nn.Linear(8, 8)
            opt = torch.optim.SGD(net.parameters(), 0.1)
            def closure():
                raise RuntimeError("no batch")
            for i in range(6):
                net(torch.randn(4, 8)).sum().backward()
                try:
                    opt.step(closure if i == 1 else None)
                except RuntimeError:
                    pass
            """,
        ),
        tmp_path / "w",
    )
    assert arm.failure is None
    assert len(arm.steps) == 5
