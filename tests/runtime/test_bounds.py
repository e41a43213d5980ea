"""Where a replay shortens a script: it reaches training and validation, and says what it left out."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Request
from memlint.session import WINDOW, Arm
from tests.runtime.support import LOOP, line_of, measure, needs_torch, replay, script, target

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]


def run(tmp_path: Path, text: str, **changes: object) -> tuple[Arm, str]:
    """One run of a script, and what it printed."""
    path = script(tmp_path, text)
    outcome = arms.run(target(path, **changes), Request("arm", "arm"), tmp_path / "w", lambda n: None)
    assert outcome.arm is not None, outcome.problem + outcome.stderr
    assert outcome.arm.failure is None, outcome.stderr
    return outcome.arm, outcome.stdout


def place(arm: Arm, text: str, code: str) -> bool:
    """Whether most of the peak was made at the line with `code`, in backward or forward."""
    top = arm.lines[0]
    return line_of(textwrap.dedent(text).lstrip("\n"), code) in (top.line, top.forward_line)


EVALUATION_FIRST = """
    import torch
    net = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(4)])
    opt = torch.optim.AdamW(net.parameters())
    @torch.no_grad()
    def estimate():
        net.eval()
        for _ in range(200): net(torch.randn(8, 64)).mean().item()
        net.train()
    for it in range(50):
        if it % 2000 == 0: estimate()
        loss = net(torch.randn(4096, 64)).square().mean()
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
"""


def test_an_evaluation_before_the_first_step_is_let_pass(tmp_path: Path) -> None:
    arm, _ = run(tmp_path, EVALUATION_FIRST, steps=25)
    assert (len(arm.steps), arm.unit, arm.trained) == (25, "optimizer step", True)
    assert arm.peak.phase == "backward"
    assert place(arm, EVALUATION_FIRST, "net(torch.randn(4096, 64))")
    assert [(cut.line, cut.ran, cut.of) for cut in arm.cuts if cut.of == 50] == [(9, 25, 50)]


ROLLOUT_FIRST = """
    import torch
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 4))
    opt = torch.optim.Adam(net.parameters())
    for update in range(10):
        obs = torch.zeros(128, 64, 64)
        with torch.no_grad():
            for t in range(128):
                obs[t] = torch.randn(64, 64)
                net(obs[t])
        for epoch in range(4):
            loss = net(obs.view(-1, 64)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
"""


def test_a_rollout_before_the_first_step_is_let_pass(tmp_path: Path) -> None:
    arm, _ = run(tmp_path, ROLLOUT_FIRST, steps=6)
    # Two updates make the six steps; the passes of the others are short.
    assert len(arm.steps) == 4 + 2 + 8 * 2
    assert arm.peak.phase == "backward"
    assert place(arm, ROLLOUT_FIRST, "net(obs.view")


VALIDATION_BEHIND = """
    import torch
    net = torch.nn.Sequential(*[torch.nn.Linear(32, 32) for _ in range(6)])
    opt = torch.optim.SGD(net.parameters(), 0.1)
    def validate():
        net.eval()
        total = 0
        for _ in range(4):
            total += net(torch.randn(4096, 32)).square().mean()
        net.train()
        return total
    for epoch in range(3):
        for i in range(200):
            loss = net(torch.randn(64, 32)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("validated", validate().item() > 0)
"""


@pytest.mark.parametrize("steps", [0, 20])
def test_the_validation_behind_the_last_step_is_reached(tmp_path: Path, steps: int) -> None:
    arm, printed = run(tmp_path, VALIDATION_BEHIND, steps=steps)
    assert printed.count("validated True") >= 2
    assert arm.stopped == "the script ended"
    assert arm.peak.phase == "evaluation"
    assert place(arm, VALIDATION_BEHIND, "net(torch.randn(4096, 32))")
    if steps:
        assert len(arm.steps) == 20 + 2 + 2
        (cut,) = arm.cuts
        assert (cut.ran, cut.of, cut.times) == (20, 200, 3)
        assert cut.in_words in arm.notes
    else:
        assert 25 <= len(arm.steps) <= 260


WHOLE_PASSES = """
    import torch
    from torch.utils.data import DataLoader, TensorDataset
    net = torch.nn.Linear(8, 8)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    loader = DataLoader(TensorDataset(torch.randn(20, 8)), batch_size=2)
    for epoch in range(2):
        for i, (x,) in enumerate(loader):
            opt.zero_grad()
            net(x).square().mean().backward()
            opt.step()
"""


def test_a_loop_that_ends_by_itself_was_not_cut(tmp_path: Path) -> None:
    """The steps are enough with the last batch of a pass, of either of them."""
    arm, _ = run(tmp_path, WHOLE_PASSES, steps=20)
    assert len(arm.steps) == 20
    assert (arm.cuts, arm.notes) == ((), ())


GROWS = """
    import torch
    net = torch.nn.Linear(64, 64)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    kept = []
    for i in range(200):
        y = net(torch.randn(256, 64))
        loss = y.square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if CONDITION: kept.append(y.detach())
"""


@pytest.mark.parametrize("condition", ["i >= 30", "i % 3 == 0"])
def test_a_cheap_script_runs_long_enough_for_growth_that_is_late_or_irregular(
    tmp_path: Path, condition: str
) -> None:
    arm, _ = run(tmp_path, GROWS.replace("CONDITION", condition), steps=0)
    # On a busy machine the clock may end the loop before all of its 200 steps.
    assert 40 <= len(arm.steps) <= 200
    kept = [i for i in range(len(arm.steps) - 1) if eval(condition, {"i": i})]
    grown = arm.steps[-1].bytes - arm.steps[0].bytes
    assert abs(grown // (256 * 64 * 4) - len(kept)) <= 2


MICRO_BATCHES = """
    import torch
    net = torch.nn.Linear(8, 8)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    LOADER
    for i, x in enumerate(batches):
        net(x).mean().backward()
        if (i + 1) % 40 == 0:
            opt.step()
            opt.zero_grad()
"""


@pytest.mark.parametrize(
    "batches",
    [
        "batches = torch.utils.data.DataLoader(torch.randn(1000, 8), batch_size=4)",
        "batches = [torch.ones(4, 8)] * 250",
    ],
)
def test_a_window_of_many_micro_batches_reaches_its_steps(tmp_path: Path, batches: str) -> None:
    text = MICRO_BATCHES.replace("LOADER", batches) + "    print('behind')\n"
    if "DataLoader" in batches:
        text = text.replace("for i, x", "for e in (1, 2):\n      for i, x")
        text = text.replace("\n        ", "\n          ")
    arm, printed = run(tmp_path, text, steps=2)
    assert len(arm.steps) == 2
    assert arm.counts["forward"] == 80
    assert printed == "behind\n"


SHAPES = {
    "a GPT whose loop has no end": """
        import torch
        net, it = torch.nn.Linear(16, 16), 0
        opt = torch.optim.AdamW(net.parameters())
        @torch.no_grad()
        def estimate_loss():
            out = {}
            net.eval()
            for split in ["train", "val"]:
                losses = torch.zeros(60)
                for k in range(60):
                    losses[k] = net(torch.randn(4, 16)).mean().item()
                out[split] = losses.mean()
            net.train()
            return out
        while True:
            if it % 2000 == 0: estimate_loss()
            for micro in range(3):
                loss = net(torch.randn(32, 16)).square().mean() / 3
                loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            it += 1
            if it > 5000: raise SystemExit
    """,
    "a trainer whose loop is left by a break": """
        import torch
        from torch.utils.data import DataLoader
        net, it = torch.nn.Linear(16, 16), 0
        opt = torch.optim.AdamW(net.parameters())
        loader = DataLoader(torch.randn(40, 16), batch_size=4)
        batches = iter(loader)
        while True:
            try: x = next(batches)
            except StopIteration:
                batches = iter(loader)
                x = next(batches)
            opt.zero_grad()
            net(x).square().mean().backward()
            opt.step()
            it += 1
            if it > 5000: break
        net.eval()
        with torch.no_grad(): net(x)
        print("fold")
    """,
    "DQN with a warm-up of its replay buffer": """
        import torch, random
        q = torch.nn.Linear(4, 2)
        opt = torch.optim.Adam(q.parameters())
        buffer = []
        class Env:
            def step(self, action): return [random.random() for _ in range(4)]
        env, obs = Env(), [0.0] * 4
        def train():
            batch = torch.tensor(random.sample(buffer, 32))
            loss = q(batch).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        for step in range(100_000):
            with torch.no_grad(): action = q(torch.tensor(obs)).argmax().item()
            obs = env.step(action)
            buffer.append(obs)
            if step >= 1000: train()
    """,
    "a GAN with two optimizers": """
        import torch
        g, d = torch.nn.Linear(8, 16), torch.nn.Linear(16, 1)
        of_g, of_d = (torch.optim.Adam(net.parameters()) for net in (g, d))
        for epoch in range(4):
            for i in range(100):
                for _ in range(2):
                    of_d.zero_grad()
                    loss = d(g(torch.randn(4, 8)).detach()).mean() - d(torch.randn(4, 16)).mean()
                    loss.backward()
                    of_d.step()
                of_g.zero_grad()
                (-d(g(torch.randn(4, 8))).mean()).backward()
                of_g.step()
    """,
    "a language model that is trained by hand": """
        import torch
        net, data = torch.nn.Linear(16, 16), torch.randn(4000, 16)
        def evaluate():
            net.eval()
            with torch.no_grad():
                return sum(net(data[i:i + 35]).mean().item() for i in range(0, 700, 35))
        def train():
            net.train()
            for batch, i in enumerate(range(0, data.size(0) - 1, 35)):
                net.zero_grad()
                net(data[i:i + 35]).square().mean().backward()
                for p in net.parameters(): p.data.add_(p.grad, alpha=-0.1)
        for epoch in range(1, 4):
            train()
            evaluate()
            print("evaluated")
    """,
    "folds with nets and optimizers of their own": """
        import torch
        from torch.utils.data import DataLoader, Subset
        data = torch.randn(400, 8)
        for fold in range(4):
            net = torch.nn.Linear(8, 8)
            opt = torch.optim.Adam(net.parameters())
            for epoch in range(3):
                for x in DataLoader(Subset(data, range(300)), batch_size=2):
                    loss = net(x).square().mean()
                    opt.zero_grad()
                    loss.backward()
                    opt.step()
                held_out = DataLoader(Subset(data, range(300, 400)), batch_size=2)
                with torch.no_grad(): [net(x) for x in held_out]
            print("fold")
    """,
    "a loader that is left early, then batches without one": """
        import torch
        from torch.utils.data import DataLoader
        net = torch.nn.Linear(8, 8)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for x in DataLoader(torch.randn(40, 8), batch_size=4):
            net(x)
            break
        def fit(n):
            opt.zero_grad(); net(torch.ones(4, 8)).square().mean().backward(); opt.step()
            if n: fit(n - 1)
        fit(300)
    """,
    "batches from a generator, validation every second epoch": """
        import torch
        net = torch.nn.Linear(8, 8)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        def batches():
            for i in torch.randperm(500).tolist():
                yield torch.full((4, 8), float(i))
        def validate():
            with torch.no_grad():
                for x in batches(): net(x)
            print("validated")
        for epoch in range(6):
            for x in batches():
                loss = net(x).square().mean()
                opt.zero_grad(); loss.backward(); opt.step()
            if epoch % 2: validate()
    """,
    "a loader that the script draws from by hand": """
        import torch
        from torch.utils.data import DataLoader
        net = torch.nn.Linear(8, 8)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        loader = DataLoader(torch.randn(400, 8), batch_size=2)
        for epoch in range(2):
            it, i = iter(loader), 0
            while i < len(loader):
                x = next(it)
                i += 1
                opt.zero_grad(); net(x).square().mean().backward(); opt.step()
            print("epoch")
    """,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_scripts_of_many_shapes_reach_their_training(tmp_path: Path, shape: str) -> None:
    arm, printed = run(tmp_path, SHAPES[shape], steps=25)
    assert arm.trained
    # Each pass over a data set of its own makes 13 steps, 12 of them here.
    assert 25 <= len(arm.steps) <= (12 * 13 if "folds" in shape else 100)
    unit = "backward" if "by hand" in shape and "model" in shape else "optimizer step"
    assert arm.unit == unit
    said = {"evaluated": 3, "fold": 1 if "break" in shape else 4, "validated": 3}
    for word, times in said.items():
        if f'print("{word}")' in SHAPES[shape]:
            assert printed.count(word) == times
    if "no end" in shape:
        assert arm.stopped == "25 optimizer steps and 1 evaluation"
        assert arm.counts["forward"] == 120 + 75


def test_what_only_infers_ends_by_itself_and_is_no_training(tmp_path: Path) -> None:
    arm, printed = run(
        tmp_path,
        """
        import torch
        net = torch.nn.Linear(8, 8).eval()
        with torch.no_grad():
            for i in range(300): net(torch.randn(4, 8))
        print("done")
        """,
        steps=0,
    )
    assert (printed, arm.stopped, arm.unit, arm.trained) == ("done\n", "the script ended", "forward", False)
    assert arm.counts == {"forward": 300}


def test_a_script_without_any_step_says_what_ran(tmp_path: Path) -> None:
    arm, _ = run(
        tmp_path,
        """
        import torch
        net = torch.nn.Linear(8, 8)
        opt = torch.optim.Adam(net.parameters())
        """,
    )
    assert (arm.series, arm.unit, arm.trained, arm.counts) == ("", "", False, {})


IDLE = """
    import torch
    net = torch.nn.Linear(8, 8)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for i in range(TIMES):
        opt.zero_grad()
        net(torch.randn(4, 8)).square().mean().backward()
        for p in net.parameters(): p.data = p.data - 0.1 * p.grad
    END
"""


@pytest.mark.parametrize("times", [20, 400])
def test_backwards_are_the_steps_of_a_script_whose_optimizer_makes_none(tmp_path: Path, times: int) -> None:
    text = IDLE.replace("TIMES", str(times)).replace("END", "print('behind')")
    arm, printed = run(tmp_path, text, steps=25)
    assert (arm.unit, arm.trained, arm.optimizers, printed) == ("backward", True, 1, "behind\n")
    assert len(arm.steps) == arm.counts["backward"] == min(times, WINDOW + 1)


def test_a_window_that_a_limit_ends_before_its_step_is_no_training(tmp_path: Path) -> None:
    path = script(tmp_path, IDLE.replace("TIMES", "20").replace("END", "while True: pass"))
    arm = measure(path, tmp_path / "w", steps=25, timeout=1.0)
    assert (arm.unit, arm.trained, arm.counts["backward"]) == ("backward", False, 20)
    assert arm.stopped == "time limit of 1 s"
    stepped = measure(script(tmp_path, MICRO_BATCHES.replace("LOADER", "batches = [torch.ones(4, 8)] * 90")),
                      tmp_path / "v", steps=25)  # fmt: skip
    assert (stepped.unit, stepped.trained) == ("optimizer step", True)
    assert stepped.counts == {"forward": 90, "optimizer step": 2}


def test_a_validation_between_the_steps_is_waited_for(tmp_path: Path) -> None:
    text = LOOP + (
        "def validate():\n    net.eval()\n    with torch.no_grad(): net(torch.ones(4, 8))\n    net.train()\n"
        "for i in range(10_000):\n    step()\n    if i == 400: validate()\n"
    )
    arm, _ = run(tmp_path, text, steps=0)
    assert 25 <= len(arm.steps) <= 402


def test_later_runs_follow_the_first(tmp_path: Path) -> None:
    path = script(tmp_path, VALIDATION_BEHIND)
    first = measure(path, tmp_path / "v", steps=0)
    second = measure(path, tmp_path / "w", steps=0, schedule=first.schedule)
    assert second.schedule == first.schedule
    assert (second.stopped, second.losses, second.counts) == (first.stopped, first.losses, first.counts)


def test_a_script_that_counts_on_the_whole_of_its_loops_is_run_whole(tmp_path: Path) -> None:
    text = LOOP + "seen = 0\nfor i in range(60):\n    step()\n    seen += 1\nassert seen == 60\n"
    session = replay(script(tmp_path, text), tmp_path / "w", [], steps=10).session
    assert session.original.failure is None
    assert session.original.stopped == "10 optimizer steps"
    assert session.original.cuts == ()
    assert "with loops cut short the script failed (AssertionError at train.py:13): none is shortened" in (
        session.notes
    )


def test_what_the_clock_would_decide_is_settled_beforehand_for_several_ranks(tmp_path: Path) -> None:
    alone, ranks = (
        arms._spec(target(tmp_path / "train.py", steps=0, ranks=count), Request("arm", "arm"), tmp_path, "t")
        for count in (0, 2)
    )
    assert (alone.schedule.steps, alone.explores) == (0, True)
    assert (ranks.schedule.steps, ranks.explores) == (25, False)


IDLE_OPTIMIZER = """
import torch
net = torch.nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), 0.1)
for i in range(12):
    opt.zero_grad()
    net(torch.randn(4, 8)).sum().backward()
    net.weight.data -= 0.1 * net.weight.grad
"""


def test_backwards_count_where_an_optimizer_only_clears_gradients(tmp_path: Path) -> None:
    arm, _ = run(tmp_path, IDLE_OPTIMIZER, steps=25)
    assert (arm.counts["backward"], arm.unit, arm.trained) == (12, "backward", True)


READS_AHEAD = """
    def batches(loader):
        found = iter(loader)
        batch = next(found)
        for following in found:
            yield batch
            batch = following
        yield batch

    def train(net, opt, loader, epochs):
        for _ in range(epochs):
            for (x,) in batches(loader):
                loss = net(x).square().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
"""


ONE_PASS = """
    import torch
    from torch.utils.data import DataLoader, TensorDataset
    from bars import bar
    net = torch.nn.Linear(4, 4)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.rand(60, 4)), batch_size=2)
    def step(x):
        opt.zero_grad()
        net(x).sum().backward()
        opt.step()
    def train():
        for x, in loader: step(x)
"""
PASSES = {
    "one, in a function": ("train()", 10),
    "one, drawn by a progress bar": ("for x, in bar(loader): step(x)", 10),
    "one epoch": ("for epoch in range(1): train()", 10),
    # Half of them, and as many or some short ones for what comes between.
    "two epochs": ("for epoch in range(2): train()", 10),
    "another one after it": ("train(); train()", 15),
}


@pytest.mark.parametrize("case", PASSES)
def test_one_pass_over_a_loader_makes_all_the_steps_that_were_asked_for(tmp_path: Path, case: str) -> None:
    (tmp_path / "bars.py").write_text("def bar(items):\n    for item in items:\n        yield item\n")
    call, steps = PASSES[case]
    arm, _ = run(tmp_path, f"{ONE_PASS}    {call}\n", steps=10)
    assert len(arm.steps) == steps



def test_what_follows_the_training_of_a_library_that_reads_ahead_is_reached(tmp_path: Path) -> None:
    """Its loop is none of the project's, and its last step comes after the end of the pass."""
    library = script(tmp_path / "lib", READS_AHEAD, "trainer.py")
    text = f"""
        import sys, torch
        from torch.utils.data import DataLoader, TensorDataset
        sys.path.append({str(library.parent)!r})
        from trainer import train
        net = torch.nn.Linear(8, 8)
        loader = DataLoader(TensorDataset(torch.randn(120, 8)), batch_size=4)
        train(net, torch.optim.Adam(net.parameters()), loader, 2)
        net.eval()
        print("perplexity", net(torch.randn(4096, 8)).shape[0])
    """
    arm, printed = run(tmp_path / "home", text, steps=20)
    assert (arm.stopped, printed) == ("the script ended", "perplexity 4096\n")
    assert (len(arm.steps), arm.peak.phase) == (21, "evaluation")
