"""What ran before what, what excludes one another, and how often something runs."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.dataflow.execution_frequency import frequency_of
from memlint.analysis.dataflow.execution_order import (
    calls_of,
    exclusive,
    in_one_iteration,
    in_one_run,
    in_one_step,
    is_conditional,
    program_point,
    ran_before,
)
from memlint.analysis.dataflow.program_points import loops_around
from memlint.analysis.facts import Called
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.call_order import calls_in_order
from memlint.analysis.tensorflow.flow import flow_of


def two_calls(code: str) -> tuple[ScriptModel, Called, Called]:
    """The first calls of `torch.first` and `torch.second`."""
    model = ScriptModel.parse(f"import torch\n{code}\n")
    return model, next(calls_of(model, "torch.first")), next(calls_of(model, "torch.second"))


HELPER = "def f():\n    torch.first()\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.first()\ntorch.second()", "yes"),
        ("torch.second()\ntorch.first()", "no"),
        ("if a:\n    torch.first()\ntorch.second()", "maybe"),
        ("if a:\n    torch.first()\n    torch.second()", "yes"),
        ("if a:\n    torch.first()\nelse:\n    torch.second()", "no"),
        ("if a:\n    torch.first()\nelif b:\n    torch.second()", "no"),
        ("a and torch.first()\ntorch.second()", "maybe"),
        ("if torch.first():\n    torch.second()", "yes"),
        ("try:\n    g()\nexcept E:\n    torch.first()\ntorch.second()", "maybe"),
        ("match a:\n    case 1:\n        torch.first()\n    case 2:\n        torch.second()", "no"),
        ('if __name__ == "__main__":\n    torch.first()\n    torch.second()', "yes"),
        (HELPER + "f()\ntorch.second()", "yes"),
        (HELPER + "if a:\n    f()\ntorch.second()", "maybe"),
        (HELPER + "torch.second()\nf()", "no"),
        ("def f():\n    if a:\n        torch.first()\n        return\n    torch.second()\nf()", "no"),
        ("def f():\n    if a:\n        return\n    torch.first()\n    torch.second()\nf()", "yes"),
        ("torch.first()\ndef f():\n    torch.second()", "yes"),
        ("def f():\n    torch.first()\ndef g():\n    torch.second()", "no"),
    ],
)
def test_ran_before(code: str, expected: str) -> None:
    model, first, second = two_calls(code)
    assert ran_before(model, first, second) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.first()\ntorch.second()", False),
        ("if a:\n    torch.first()\ntorch.second()", True),
        ("for x in y:\n    torch.first()\ntorch.second()", False),
        (HELPER + "if a:\n    f()\ntorch.second()", True),
        ('if __name__ == "__main__":\n    torch.first()\ntorch.second()', False),
    ],
)
def test_is_conditional(code: str, expected: bool) -> None:
    model, first, _ = two_calls(code)
    assert is_conditional(model, first) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f():\n    torch.first()\ntorch.second()", True),
        ("def f():\n    torch.first()\ndef g():\n    torch.second()", False),
        ("def f():\n    torch.first()\n    torch.second()", True),
    ],
)
def test_in_one_run(code: str, expected: bool) -> None:
    _, first, second = two_calls(code)
    assert in_one_run(first, second) is expected


@pytest.mark.parametrize(
    ("code", "iteration", "step"),
    [
        ("for x in y:\n    torch.first()\n    torch.second()", True, True),
        ("for x in y:\n    torch.first()\n    for z in x:\n        torch.second()", True, True),
        ("for x in y:\n    torch.first()\nfor x in y:\n    torch.second()", False, False),
        (HELPER + "def g():\n    f()\n    torch.second()\ng()", True, True),
        (HELPER + "def g():\n    torch.second()\nf()\ng()", True, False),
        (HELPER + "for x in y:\n    f()\n    torch.second()", True, True),
    ],
)
def test_in_one_iteration_and_step(code: str, iteration: bool, step: bool) -> None:
    _, first, second = two_calls(code)
    assert (in_one_iteration(first, second), in_one_step(first, second)) == (iteration, step)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if a:\n    torch.first()\nif not a:\n    torch.second()", True),
        ("if a is None:\n    torch.first()\nif a:\n    torch.second()", True),
        ("if a:\n    torch.first()\nif a:\n    torch.second()", False),
        ("for x in y:\n    if a:\n        torch.first()\n        continue\n    torch.second()", True),
        ("torch.first() if a else torch.second()", True),
        ("if a:\n    torch.first()\nif b:\n    torch.second()", False),
    ],
)
def test_exclusive(code: str, expected: bool) -> None:
    model, first, second = two_calls(code)
    assert exclusive(model, first, second) is expected


def test_a_program_point_is_that_of_the_outermost_call_first() -> None:
    model, first, second = two_calls(HELPER + "torch.second()\nf()")
    assert program_point(model, second) < program_point(model, first)
    assert [len(program_point(model, event)) for event in (first, second)] == [2, 1]


# --- TensorFlow: the same questions to calls in order ----------------------------------------------------


def order(code: str) -> list[list[str]]:
    model = ScriptModel.parse(f"import tensorflow as tf\n{code}\n")
    flow = flow_of(model)
    found = calls_in_order(flow, lambda call: flow.api(call.func).startswith("tf."))
    return [[flow.api(c.node.func)[3:] for c in calls] for calls in found]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("tf.a()\ntf.b(tf.c())", [["a", "c", "b"]]),
        ("def f():\n    tf.a()\ntf.b()\nf()", [["b", "a"]]),
        ("def f():\n    tf.a()\ntf.b()", [["b"], ["a"]]),
        ("try:\n    tf.a()\nexcept E:\n    tf.b()\nelse:\n    tf.c()\nfinally:\n    tf.d()", [list("acbd")]),
        ("class A:\n def __init__(self):\n  tf.a()\n def m(self):\n  tf.b()", [[], ["a"], ["a", "b"]]),
        ("def goal(t):\n    tf.a()\nstudy.optimize(goal)\ntf.b()", [["a", "b"]]),
    ],
)
def test_calls_in_order(code: str, expected: list[list[str]]) -> None:
    assert order(code) == expected


@pytest.mark.parametrize(
    ("code", "sure", "excluded"),
    [
        ("tf.a()\ntf.b()", True, False),
        ("if c:\n    tf.a()\ntf.b()", False, False),
        ("if c:\n    tf.a()\nelse:\n    tf.b()", False, True),
        ("for x in y:\n    tf.a()\ntf.b()", False, False),
        ("try:\n    tf.a()\nexcept E:\n    tf.b()", False, True),
        ("if c:\n    tf.a()\n    sys.exit()\ntf.b()", False, True),
        ("for x in y:\n    if c:\n        tf.a()\n        break\ntf.b()", False, False),
        ("def f():\n    if c:\n        return\n    tf.a()\nf()\ntf.b()", True, False),
    ],
)
def test_two_calls_of_tensorflow(code: str, sure: bool, excluded: bool) -> None:
    model = ScriptModel.parse(f"import tensorflow as tf\n{code}\n")
    flow = flow_of(model)
    first, second = calls_in_order(flow, lambda call: flow.api(call.func) in ("tf.a", "tf.b"))[0]
    assert (first.surely_before(second), first.excludes(second)) == (sure, excluded)


def test_loops_of_a_call() -> None:
    model = ScriptModel.parse("import tensorflow as tf\nfor x in y:\n    while x:\n        tf.a()\n")
    flow = flow_of(model)
    (found,) = calls_in_order(flow, lambda call: flow.api(call.func) == "tf.a")[0]
    assert [type(loop) for loop in found.loops] == [cst.While, cst.For]


# --- how often ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("torch.a()", 1),
        ("if step % 10 == 0:\n    torch.a()", 10),
        ("if step % every == 0:\n    torch.a()", 4),
        ("if step % 10 != 0:\n    torch.a()", 1),
        ("if step % 10:\n    continue\ntorch.a()", 10),
        ("if step % 10 == 0:\n    continue\ntorch.a()", 1),
        ("if step % 10 == 0:\n    print()\nelse:\n    torch.a()", 1),
        ("if step % 10 == 0 and step % 3 == 0:\n    torch.a()", 30),
        ("if step % 10 == 0 or step + 1 == len(loader):\n    torch.a()", 10),
        ("if torch.cuda.is_available():\n    torch.a()", 1),
        ("if surprising:\n    torch.a()", None),
        ("try:\n    g()\nexcept E:\n    torch.a()", None),
        ("if step % window == 0:\n    optimizer.step()\n    torch.a()", 0),
    ],
)
def test_every_how_many_iterations(body: str, expected: int | None) -> None:
    inside = "".join(f"    {line}\n" for line in body.splitlines())
    model = ScriptModel.parse(f"import torch\nevery = 4\nfor step, x in enumerate(loader):\n{inside}")
    event = next(calls_of(model, "torch.a"))
    found = frequency_of(model, event, event.loops)
    assert (found.step if found is not None else None) == expected


def test_frequency_multiplies_through_the_calls_of_functions() -> None:
    helper = "import torch\ndef f(i):\n    if i % 2 == 0:\n        torch.a()\n"
    model = ScriptModel.parse(helper + "for i in data:\n    if i % 5 == 0:\n        f(i)\n")
    event = next(calls_of(model, "torch.a"))
    found = frequency_of(model, event, event.loops)
    assert found is not None
    assert (found.step, found.in_words()) == (10, "on every 10th iteration")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for x in y:\n    while x:\n        f()", ["For", "While"]),
        ("for x in y:\n    pass\nelse:\n    f()", []),
        ("while f():\n    pass", ["While"]),
        ("[f() for x in y for z in x]", ["CompFor", "CompFor"]),
        ("[x for x in f()]", []),
        ("for x in y:\n    def g():\n        f()", []),
    ],
)
def test_loops_around(code: str, expected: list[str]) -> None:
    model = ScriptModel.parse(code)
    (call,) = [c for c in model.names.calls if model.code(c) == "f()"]
    assert [type(loop).__name__ for loop in loops_around(model, call)] == expected
