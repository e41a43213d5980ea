"""What a question costs in a long script: steps of Python are counted, not seconds."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import libcst as cst
import pytest

from benchmarks import growth
from benchmarks.giants.made import HEAD, TRAINING, indented
from memlint import catalogue
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.imported import Project
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.evaluation import recorded
from memlint.analysis.training.gradients import uncleared
from memlint.analysis.training.retention import loop_accumulations
from memlint.analysis.uses.tensor_uses import is_several
from memlint.detect.retention import late_rebound_tensor, late_zero_grad
from memlint.detect.retention.lost_gradients import lost_gradients
from memlint.detect.retention.microbatches import summed
from memlint.engine import across
from memlint.engine import check as engine
from memlint.project.base_calls import OwnCalls, own_calls
from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules
from memlint.project.outline import Outline
from memlint.syntax.tree import dotted


def outputs(count: int) -> str:
    """One loop that keeps many outputs, each under a name of its own, and trains."""
    kept = "".join(f"    y{n} = model(x) * {n}\n    losses.append(y{n})\n" for n in range(count))
    return f"{HEAD}for x in loader:\n{kept}{TRAINING.partition(chr(10))[2]}"


def loops(count: int) -> str:
    """Many loops that train, one after the other."""
    return HEAD + TRAINING * count


def chained(count: int) -> str:
    """Values that are computed from one another in a loop, each of them kept."""
    kept = "".join("    x = model(x) + x\n    losses.append(x)\n" for _ in range(count))
    return f"{HEAD}for x in loader:\n{kept}"


def layers(count: int) -> str:
    """One network after the other takes what the one before gave, in a loop that keeps the last output."""
    made = "".join(f"        self.a{n} = nn.Linear(4, 4)\n" for n in range(count))
    used = "".join(f"            x = self.a{n}(x)\n" for n in range(count))
    return (
        f"{HEAD}class Chain:\n    def __init__(self):\n{made}\n    def run(self):\n"
        f"        for x in loader:\n{used}            losses.append(x)\n\n\nChain().run()\n"
    )


def literal(count: int) -> str:
    """A list of forward passes, above a loop that trains."""
    return f"{HEAD}rows = [\n{'    model(loader[0]),' * count}\n]\n{TRAINING}"


def branches(count: int) -> str:
    """Branches that each run the network again, in a loop that trains."""
    again = "".join(f"    if flag{n}:\n        x = model(x)\n" for n in range(count))
    return f"{HEAD}for x in loader:\n{again}{TRAINING.partition(chr(10))[2]}"


def function(count: int) -> str:
    """A function with many findings, each of which its callers in other files could take back."""
    body = outputs(count)[len(HEAD) :].replace("\n", "\n    ").rstrip()
    return f"{HEAD}def train():\n    {body}\n"


def boxes(count: int) -> str:
    """Many lists in a dictionary, each of which a loop fills."""
    made = "".join(f"box['{n}'] = []\n" for n in range(count))
    fills = "".join(f"    box['{n}'].append(loss)\n" for n in range(count))
    loop = "for x in loader:\n    loss = model(x).sum()\n    loss.backward()\n"
    return f"{HEAD}box = {{}}\n{made}{loop}{fills}"


def arms(count: int) -> str:
    """Arms of one `if` that each keep an output, behind a backward and before a step."""
    kept = "".join(f"    elif mode == {n}:\n        losses.append(model(x))\n" for n in range(count))
    loss = "    loss = model(x).mean()\n    loss.backward()\n    if mode is None:\n        pass\n"
    return f"{HEAD}for x in loader:\n{loss}{kept}    else:\n        optimizer.step()\n"


def handlers(count: int) -> str:
    """Training steps one after the other in one loop, each in a `try` of its own."""
    step = "optimizer.zero_grad()\nloss = model(x).mean()\nloss.backward()\noptimizer.step()\n"
    tried = "    try:\n" + indented(step, 2) + "    except RuntimeError:\n        losses.append(loss)\n"
    return f"{HEAD}for x in loader:\n{tried * count}"


def retried(count: int) -> str:
    """Forward passes in one loop, each kept where it fails: any of them may give the next its input."""
    tried = "    try:\n        x = model(x)\n    except ValueError:\n        losses.append(x)\n"
    return f"{HEAD}for x in loader:\n{tried * count}{TRAINING.partition(chr(10))[2]}"


def functions(count: int) -> str:
    """Functions that all have variables of the same names."""
    defined = "def f{n}(x):\n    y = model(x)\n    z = y + x\n    return z.sum()\n\n"
    return HEAD + "".join(defined.format(n=n) for n in range(count)) + TRAINING


def optimizers(count: int) -> str:
    """Networks that each have an optimizer and a loss, all of them in one loop."""
    made = "m{n} = nn.Linear(4, 1)\no{n} = torch.optim.SGD(m{n}.parameters(), lr=0.1)\n"
    used = "    l{n} = m{n}(x).mean()\n    l{n}.backward()\n    o{n}.step()\n"
    numbers = range(count)
    both = ["".join(each.format(n=n) for n in numbers) for each in (made, used)]
    return f"{HEAD}{both[0]}for x in loader:\n{both[1]}"


def variables(model: ScriptModel) -> Iterable[object]:
    """What each name of a script means."""
    return [variable(model, name, name.value) for name in model.every(cst.Name, model.module)]


def rebound_late(model: ScriptModel) -> Iterable[object]:
    """What MEM113 finds, which looks for what is made behind the last backward of each iteration."""
    return late_rebound_tensor.detect(model, next(iter(catalogue.find("MEM113"))))


def late_zeros(model: ScriptModel) -> Iterable[object]:
    """What MEM122 finds, which looks for code that reads gradients."""
    return late_zero_grad.detect(model, next(iter(catalogue.find("MEM122"))))


def reached(model: ScriptModel) -> Iterable[object]:
    """What each `loss` of a script may be."""
    names = (n for n in model.every(cst.Name, model.module) if n.value == "loss")
    return [reaching_definitions(model, name) for name in names]


def told_here(model: ScriptModel) -> Iterable[object]:
    """What MEM101 and MEM102 find, less what other files take back."""
    rules = [*catalogue.find("MEM101"), *catalogue.find("MEM102")]
    return [match for rule in rules for match in across.settled(rule, model, lambda *_: True)]


def steps(ask: Callable[[ScriptModel], Iterable[object]], text: str) -> int:
    """The lines of Python that an answer takes, once the run is over."""
    model = ScriptModel.parse(text, "train.py", None, Project(Modules(Path("nowhere"))))
    assert model.trace.forwards
    return lines(lambda: list(ask(model)))


def lines(work: Callable[[], object]) -> int:
    """The lines of Python that run."""
    taken = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal taken
        taken += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return taken


@pytest.mark.parametrize(
    ("ask", "make"),
    [
        (recorded, outputs),
        (loop_accumulations, outputs),
        (summed, outputs),
        (recorded, chained),
        (uncleared, loops),
        (lost_gradients, loops),
        (recorded, layers),
        (recorded, literal),
        (late_zeros, branches),
        (told_here, function),
        (reached, handlers),
        (uncleared, handlers),
        (uncleared, optimizers),
        (rebound_late, handlers),
        (loop_accumulations, handlers),
        (loop_accumulations, retried),
        (variables, functions),
    ],
    ids=lambda value: value.__name__,
)
def test_four_times_the_script_takes_about_four_times_the_steps(
    ask: Callable[[ScriptModel], Iterable[object]], make: Callable[[int], str]
) -> None:
    steps(ask, make(4))  # what is made once for all scripts
    few = steps(ask, make(15))
    # Each value leads to all later ones, which are looked up there, each step may be that of each backward:
    # a few steps each.
    most = 8 if make in (layers, chained, handlers, optimizers) else 4.5
    assert steps(ask, make(60)) < most * few


ADVERSARIES = """

def step_{n}(netD, netG, optimizerD, optimizerG, real, noise, loss):
    optimizerD.zero_grad()
    fake = netG(noise)
    both = loss(netD(real), torch.ones(8)) + loss(netD(fake.detach()), torch.zeros(8))
    both.backward()
    optimizerD.step()
    optimizerG.zero_grad()
    cheated = loss(netD(fake), torch.ones(8))
    cheated.backward()
    optimizerG.step()
    return both.item(), cheated.item()
"""


@pytest.mark.parametrize(("function", "most"), [(growth.TRAINING, 4.5), (ADVERSARIES, 6)])
def test_a_whole_check_of_four_times_the_functions_takes_about_four_times_the_steps(
    function: str, most: float
) -> None:
    """Each function trains: the run of one, and what detectors ask about it, does not look at all others."""
    codes = frozenset(rule.code for rule in catalogue.load())

    def taken(functions: int) -> int:
        text = f"{growth.HEAD}{''.join(function.format(n=n) for n in range(functions))}"
        checks = engine.Checks(codes, frozenset(), "train.py", root="")
        return lines(lambda: engine.check(text, "train.py", checks))

    taken(4)
    assert taken(80) < most * taken(20)


def test_what_a_loop_counts_is_looked_up_once_and_not_for_each_arm_of_each_event() -> None:
    """Each event lies behind all arms above it, but what their tests mean is one question for each."""
    steps(summed, arms(4))
    assert steps(summed, arms(60)) < 18 * steps(summed, arms(15))


def test_attributes_that_are_made_of_one_another_are_not_followed_on_every_way() -> None:
    def web(count: int) -> str:
        made = [
            f"    def make{n}(self):\n        self.f{n} = self.f{(n + 1) % count}.f{(n + 3) % count}"
            f" or self.f{(n + 3) % count}.f{(n + 1) % count}\n"
            for n in range(count)
        ]
        return "import torch\n\n\nclass Node:\n" + "".join(made)

    def asked(count: int) -> int:
        model = ScriptModel.parse(web(count), "train.py")
        nodes = model.names.every(cst.Attribute)
        return lines(lambda: [value_sources(model, node) for node in nodes])

    asked(4)  # what is made once for all scripts
    assert asked(40) < 12 * asked(10)


def test_lists_in_one_dictionary_are_looked_at_together() -> None:
    """Each list is looked for among all variables, but not once for each other list."""

    def run(count: int) -> int:
        model = ScriptModel.parse(boxes(count), "train.py")
        return lines(lambda: model.trace.stores)

    run(4)
    assert run(60) < 10 * run(15)


CLASS = """
import torch
from engine import Base
class Runner(Base):
    def predict(self, x):
        for y in x:
            self.shown(self.model(y))
    def evaluate(self, x):
        with {context}:
            return super().evaluate(x)
"""


@pytest.mark.parametrize(("context", "read"), [("self.timer()", False), ("torch.no_grad()", True)])
def test_the_text_of_a_class_is_read_only_where_it_switches_gradients_off(
    monkeypatch: pytest.MonkeyPatch, context: str, read: bool
) -> None:
    """What the methods of a class call on it is in its tree; under which contexts is read from its text."""
    texts: list[str] = []

    def noted(source: str) -> OwnCalls:
        texts.append(source)
        return own_calls(source)

    monkeypatch.setattr("memlint.analysis.interpret.script.own_calls", noted)
    text = CLASS.format(context=context)
    assert ScriptModel.parse(text, "run.py", None, Project(Modules(Path("nowhere")))).trace
    assert texts == ([text[text.index("class") :].rstrip()] if read else [])


def test_what_a_call_gives_is_judged_once_for_all_values_that_may_come_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After 30 handlers a value may come from 30 calls, and each of them is looked at for each value."""
    handled = "try:\n    x = model(x)\nexcept ValueError:\n    losses.append(x)\n" * 30
    model = ScriptModel.parse(f"{HEAD}for x in loader:\n{indented(handled)}", "train.py")
    asked: Counter[cst.CSTNode] = Counter()
    path_of = ScriptModel.path_of

    def counted(model: ScriptModel, node: cst.CSTNode) -> str:
        asked[node] += 1
        return path_of(model, node)

    monkeypatch.setattr(ScriptModel, "path_of", counted)
    kept = [call.args[0].value for call in model.names.calls if dotted(call.func) == "losses.append"]
    assert not any(is_several(model, value) for value in kept)
    assert len(kept) == 30
    assert set(asked.values()) == {1}


def test_a_word_of_imported_modules_is_looked_for_in_texts_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A script of a large library imports thousands of files: those without the word are not parsed."""
    (tmp_path / "train.py").write_text("import first\n")
    (tmp_path / "first.py").write_text("import second\n")
    (tmp_path / "second.py").write_text("import third\nname = '# vjp'\n")
    (tmp_path / "third.py").write_text("def vjp(): pass\n")
    modules, read, log = Modules(tmp_path), list[str](), Dependencies()
    outline = Modules.outline

    def noted(modules: Modules, path: Path, log: Dependencies) -> Outline | None:
        read.append(path.name)
        return outline(modules, path, log)

    monkeypatch.setattr(Modules, "outline", noted)
    assert not modules.have_behind(tmp_path / "train.py", frozenset({"jacobian"}), log)
    assert read == []
    assert modules.have_behind(tmp_path / "train.py", frozenset({"vjp"}), log)
    assert read == ["second.py", "third.py"]
    assert {path.name for path in log.texts} == {"train.py", "first.py", "second.py", "third.py"}
