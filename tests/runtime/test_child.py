"""A script in its child process: started as Python would, bounded, contained, and always ended."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Request
from tests.runtime.support import LOOP, line_of, measure, needs_torch, script, target

pytestmark = needs_torch


def test_a_script_sees_what_python_would_show_it(tmp_path: Path) -> None:
    script(tmp_path, "VALUE = 7\n", "helper.py")
    script(tmp_path, "VALUE = 8\n", "secrets.py")
    (tmp_path / "data.txt").write_text("here", encoding="utf-8")
    path = script(
        tmp_path,
        """
        import argparse, os, sys, __main__
        import helper, torch
        parser = argparse.ArgumentParser()
        parser.add_argument("--lr", type=float)
        if __name__ == "__main__":
            assert parser.parse_args().lr == 0.5
            assert sys.argv == ["train.py", "--lr", "0.5"], sys.argv
            assert __file__ == os.path.abspath("train.py") and __main__.__file__ == __file__
            assert sys.path[0] == os.path.dirname(__file__), sys.path
            assert open("data.txt").read() == "here" and helper.VALUE == 7
            import secrets  # torch's optimizers use the library's, which a replay imports before the script
            assert secrets.VALUE == 8
            assert "memlint" not in os.environ.get("PYTHONPATH", "")
            assert __spec__ is None and "step" not in globals()
        """,
    )
    arm = measure(path, tmp_path / "w", "--lr", "0.5")
    assert arm.failure is None
    assert arm.stopped == "the script ended"
    assert arm.modules == ("helper.py", "secrets.py", "train.py")


def test_a_module_runs_as_with_dash_m(tmp_path: Path) -> None:
    script(tmp_path, "", "pkg/__init__.py")
    script(tmp_path, "NAME = 'sibling'\n", "pkg/other.py")
    path = script(
        tmp_path,
        """
        import sys
        from .other import NAME
        assert __name__ == "__main__" and __package__ == "pkg" and NAME == "sibling"
        assert sys.argv[1:] == ["x"] and sys.argv[0] == __file__
        """,
        "pkg/train.py",
    )
    arm = measure(
        path,
        tmp_path / "w",
        path="pkg.train",
        is_module=True,
        arguments=("pkg.train", "x"),
        folder=str(tmp_path),
        root=os.path.join(tmp_path, ""),
    )
    assert arm.failure is None, arm.failure
    assert "pkg/train.py" in arm.modules


@pytest.mark.usefixtures("forked")
def test_a_loop_without_end_stops_at_the_number_of_steps(tmp_path: Path) -> None:
    swallows = (
        "try:\n    while True: step()\nexcept:\n    open('no', 'w')\nfinally:\n    open('never', 'w')\n"
    )
    path = script(tmp_path, LOOP + swallows)
    arm = measure(path, tmp_path / "w", steps=5)
    assert arm.stopped == "5 optimizer steps"
    assert len(arm.steps) == len(arm.losses) == 5
    assert arm.written == ()


def test_progress_counts_steps_where_there_are_any() -> None:
    from memlint.runtime.child.log import Log
    from memlint.runtime.child.tracking.hooks import Hooks
    from memlint.runtime.child.tracking.tracker import Sites

    hooks = Hooks(Log(), Sites(Log(), lambda path: True), None, None)
    assert hooks.steps() == 0
    hooks.counts.update({"forward at a.py:1": 9, "forward at a.py:2": 3})
    assert hooks.steps() == 9
    hooks.counts.update({"optimizer step at a.py:3": 4})
    assert hooks.steps() == 4


@pytest.mark.usefixtures("forked")
def test_loaders_are_cut_and_the_code_behind_the_loop_is_reached(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        LOOP
        + """
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.randn(4000, 8)), batch_size=4, shuffle=True, num_workers=2)
for epoch in range(6):
    seen = 0
    for (x,) in loader:
        loss = net(x).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
        seen += 1
    print(len(loader), seen)
print("behind the loop")
""",
    )
    folder = tmp_path / "w"
    outcome = arms.run(target(path, steps=8), Request("arm", "arm"), folder, lambda n: None)
    assert outcome.arm is not None, outcome.stderr
    assert outcome.stdout.split("\n")[:7] == ["1000 4"] * 2 + ["1000 1"] * 4 + ["behind the loop"]
    assert outcome.arm.kinds["input"] > 0
    assert outcome.arm.stopped == "the script ended"
    # The first pass starts workers in any case.
    assert len(outcome.arm.starts) == 5
    assert all(0 < seconds < 60 for seconds in outcome.arm.starts)
    assert outcome.arm.sent == ()


@pytest.mark.usefixtures("forked")
def test_a_closure_is_forward_and_backward_within_the_step(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch, torch.nn as nn
        net = nn.Linear(64, 64)
        opt = torch.optim.LBFGS(net.parameters(), max_iter=3)
        kept = []
        def closure():
            opt.zero_grad()
            loss = net(torch.ones(32, 64)).pow(2).mean()
            loss.backward()
            kept.append(loss)
            return loss
        for _ in range(6):
            opt.step(closure)
        """,
    )
    arm = measure(path, tmp_path / "w")
    assert {"forward", "backward", "optimizer"} <= {row.phase for row in arm.lines}
    assert arm.kinds["gradient"] == 64 * 64 * 4 + 64 * 4
    (row,) = arm.growth
    assert (row.bytes_per_step, row.line) == (4, 7)
    assert len(arm.steps) == 6


@pytest.mark.usefixtures("forked")
def test_transformed_functions_run_and_their_losses_are_not_asked_for(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch, torch.nn as nn
        from torch.func import functional_call, grad, vmap
        net, x, y = nn.Linear(8, 1), torch.randn(16, 8), torch.randn(16, 1)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        def loss_of(weights, x, y):
            return (functional_call(net, weights, (x,)) - y).square().mean()
        for _ in range(9):
            loss = loss_of(dict(net.named_parameters()), x, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            weights = {name: p.detach() for name, p in net.named_parameters()}
            each = vmap(grad(loss_of), in_dims=(None, 0, 0))(weights, x, y)
        assert each["weight"].shape == (16, 1, 8)
        """,
    )
    arm = measure(path, tmp_path / "w", checks=("gradients-summed", "forwards-repeated", "kept-changes"))
    assert arm.failure is None, arm.failure
    assert (len(arm.steps), len(arm.losses)) == (9, 9)


@pytest.mark.usefixtures("forked")
def test_several_stages_are_counted_apart(tmp_path: Path) -> None:
    stages = (
        "for _ in range(4): step()\nopt = torch.optim.Adam(net.parameters())\nfor _ in range(4): step()\n"
    )
    path = script(tmp_path, LOOP + stages + "for _ in range(40): step()\n")
    arm = measure(path, tmp_path / "w", steps=20)
    assert len(arm.losses) == 20
    assert arm.stopped == "the script ended"
    (cut,) = arm.cuts
    assert (cut.line, cut.ran, cut.of, cut.times) == (len((LOOP + stages).splitlines()), 12, 40, 1)


@pytest.mark.usefixtures("forked")
def test_the_host_probe_samples_malloc_and_the_loaders_workers(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        LOOP
        + """
from torch.utils.data import DataLoader, TensorDataset
kept = []
for (x,) in DataLoader(TensorDataset(torch.randn(4000, 8)), batch_size=4, num_workers=2):
    step()
    kept.append(torch.ones(25_000))
""",
    )
    arm = measure(path, tmp_path / "w", probe="host")
    assert arm.peak.bytes == 0
    assert arm.lines == ()
    assert max(step.worker_bytes for step in arm.steps) > 1 << 20
    grown = [b.host_bytes - a.host_bytes for a, b in pairwise(arm.steps[2:])]
    assert all(100_000 <= bytes_ < 200_000 for bytes_ in grown)


def test_little_stands_below_the_script_on_the_stack(tmp_path: Path) -> None:
    """Under detect_anomaly every operation formats the whole stack: what a replay adds would be timed."""
    path = script(
        tmp_path,
        """
        import sys, traceback, torch, torch.nn as nn
        class Net(nn.Linear):
            def forward(self, x):
                names.append([frame.name for frame in traceback.extract_stack()])
                return super().forward(x)
        names = []
        net = Net(4, 4)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for _ in range(3):
            net(torch.randn(2, 4)).sum().backward()
            opt.step()
        assert sys._getframe(1).f_back is None
        assert names[-1] == ["<module>", "<module>", "_wrapped_call_impl", "_call_impl", "forward"], names
        """,
    )
    arm = measure(path, tmp_path / "w", probe="clock")
    assert arm.failure is None, arm.failure
    assert len(arm.steps) == 3


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_spawned_workers_see_the_edited_text_and_write_into_the_scratch_tree(
    tmp_path: Path, method: str
) -> None:
    home = tmp_path / "home"
    script(home, "SCALE = 1\n", "helper.py")
    path = script(
        home,
        """
        import torch
        from torch.utils.data import DataLoader, Dataset
        import helper

        class Ones(Dataset):
            def __init__(self):
                self.shared, self.copied = torch.zeros(10_000), bytes(50_000)
            def __len__(self):
                return 4
            def __getitem__(self, index):
                with open("seen.txt", "a") as file:
                    file.write("x")
                torch.save(index, f"{index}.pt")
                return torch.ones(1) * helper.SCALE + 0.0

        if __name__ == "__main__":
            loader = DataLoader(Ones(), num_workers=1, multiprocessing_context="METHOD")
            print(sum(float(batch) for batch in loader), open("seen.txt").read(), torch.load("3.pt"))
        """.replace("METHOD", method),
    )
    text = path.read_text(encoding="utf-8")
    overlay = ((str(path), text.replace("+ 0.0", "+ 5.0")), (str(home / "helper.py"), "SCALE = 2\n"))
    inside, behind = (f"{path}:{line_of(text, code)}" for code in ("torch.ones", "print("))
    request = Request("arm", "arm", overlay=overlay, watch=(inside, behind))
    outcome = arms.run(target(path), request, tmp_path / "w", lambda n: None)
    assert outcome.arm is not None, outcome.stderr
    assert outcome.stdout == "28.0 xxxx 3\n", outcome.stderr
    (sent,) = outcome.arm.sent
    assert 50_000 <= sent < 60_000
    assert outcome.arm.reached == (f"train.py:{line_of(text, 'print(')}",)
    assert outcome.arm.reached_elsewhere == (f"train.py:{line_of(text, 'torch.ones')}",)
    assert sorted(entry.name for entry in home.iterdir()) == ["helper.py", "train.py"]
