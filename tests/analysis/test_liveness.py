"""Liveness of names: reads on any way before the next binding, and where a name may be deleted."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.dataflow.liveness import flow_node_of, variable, why_kept
from memlint.analysis.model import ScriptModel


def model_of(body: str, *, function: bool = True) -> ScriptModel:
    lines = [f"    {line}" for line in body.strip("\n").splitlines()]
    return ScriptModel.parse("def f(a, loader):\n" + "\n".join(lines) + "\n" if function else body)


def line(model: ScriptModel, start: str) -> cst.SimpleStatementLine:
    """The first line whose code starts so."""
    return next(
        node
        for node in model.walk(model.module)
        if isinstance(node, cst.SimpleStatementLine) and model.code(node).strip().startswith(start)
    )


def deletable(body: str, name: str, after: str, *, function: bool = True) -> bool:
    model = model_of(body, function=function)
    return not why_kept(model, (name,), line(model, after), before=False)


def reads(body: str, name: str, after: str) -> int:
    model = model_of(body)
    statement = line(model, after)
    found = variable(model, statement.body[0], name)
    assert found is not None
    return len(found.reads_after(statement))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = a\nuse(1)", 0),
        ("x = a\nprint(x)", 1),
        ("x = a\nx = 2\nprint(x)", 0),
        ("x = a\nx = x + 1", 1),
        ("x = a\nx += 1", 1),
        ("x = a\nx.data = 1", 1),
        ("x = a\nx[0] = 1", 1),
        ("x = a\nbox.x = 1\ncall(x=2)", 0),
        ("x = a\nif a:\n    x = 2\nprint(x)", 1),
        ("x = a\nif a:\n    x = 2\nelse:\n    x = 3\nprint(x)", 0),
        ("x = a\nfor x in loader:\n    pass\nprint(x)", 1),
        ("x = a\nwhile True:\n    x = 1\n    print(x)", 0),
        ("x = a\nwith ctx() as x:\n    print(x)", 0),
        ("x = a\ndel x\nprint(x)", 0),
        ("x = a\n[x for x in loader]", 0),
        ("x = a\n[y for y in loader if x]", 1),
        ("x = a\nsum(x for _ in loader)", 1),
        ("x = a\nassert x\nx = 3\nprint(x)", 1),
        ("x = a\ntry:\n    x = g()\nexcept E:\n    print(x)", 1),
        ("x = a\ntry:\n    x = g()\nfinally:\n    print(x)", 2),
        ("x = a\ntry:\n    return 1\nfinally:\n    print(x)", 2),
        ("x = a\nreturn 1\nprint(x)", 0),
        ("x = a\nmatch a:\n    case x:\n        pass\nprint(x)", 1),
        ("x = a\nclass C:\n    y = x", 1),
        ("x = a\ndef g(y=x):\n    return y", 1),
        ("x = a\nx, y = 1, 2\nprint(x)", 0),
        ("x = a\nprint(f'{x}')", 1),
    ],
)
def test_reads_that_may_follow(body: str, expected: int) -> None:
    found = reads(body, "x", "x = a")
    assert min(found, 1) == min(expected, 1)


@pytest.mark.parametrize(
    ("body", "after", "expected"),
    [
        ("for b in loader:\n    out = net(b)\n    step()", "step()", True),
        ("out = 0\nfor b in loader:\n    print(out)\n    out = net(b)\n    step()", "step()", False),
        ("for b in loader:\n    if b:\n        out = net(b)\n    step()", "step()", False),
        ("for b in loader:\n    if b:\n        out = net(b)\n        step()", "step()", True),
        ("for b in loader:\n    if b:\n        continue\n    out = net(b)\n    step()", "step()", True),
        ("for b in loader:\n    out = net(b)\n    step()\nprint(out)", "step()", False),
        ("for b in loader:\n    out = net(b)\n    step()\nreturn out", "step()", False),
        ("for b in loader:\n    out = net(b)\n    step()\nelse:\n    print(out)", "step()", False),
        ("while a:\n    out = net(a)\n    step()", "step()", True),
        ("while a and out is None:\n    out = net(a)\n    step()", "step()", False),
        ("for out in loader:\n    pass\nstep()", "step()", False),
        ("out = net(a)\nstep()\nhook(lambda: out)", "step()", False),
        ("out = net(a)\nstep()\ndef g():\n    return out", "step()", False),
        ("out = net(a)\ng = (out for _ in loader)\nstep()", "step()", False),
        ("out = net(a)\nstep()\nprint(locals())", "step()", False),
        ("out = net(a)\nstep()\nexec(a)", "step()", False),
        ("out = net(a)\nstep()\nprint(vars())", "step()", False),
        ("out = net(a)\nstep()\nnet.eval()\nprint(vars(a))", "step()", True),
        ("import pdb\nout = net(a)\nstep()\npdb.set_trace()", "step()", False),
        ("global out\nout = net(a)\nstep()", "step()", False),
        ("out = net(a)\ntry:\n    step()\nfinally:\n    print(out)", "step()", False),
        ("out = net(a)\ntry:\n    step()\n    more()\nexcept E:\n    print(out)", "step()", False),
        ("out = net(a)\ntry:\n    step()\nexcept E:\n    print(a)", "step()", True),
        ("try:\n    out = net(a)\nexcept E:\n    pass\nstep()", "step()", False),
        ("try:\n    out = net(a)\nexcept E:\n    return\nstep()", "step()", True),
        ("try:\n    out = net(a)\nexcept E:\n    raise\nstep()", "step()", True),
        ("with suppress(E):\n    out = net(a)\nstep()", "step()", False),
        ("with autocast():\n    out = net(a)\nstep()", "step()", True),
        ("if (out := net(a)):\n    step()", "step()", False),
        ("out: int\nstep()", "step()", False),
        ("out = net(a)\ndel out\nstep()", "step()", False),
        ("match a:\n    case [out]:\n        pass\nstep()", "step()", False),
    ],
)
def test_a_name_may_be_deleted_where_it_is_bound_and_read_no_more(
    body: str, after: str, expected: bool
) -> None:
    assert deletable(body, "out", after) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("out = net(1)\nstep()\n", True),
        ("out = net(1)\nstep()\n\n\ndef show():\n    print(out)\n", False),
        ("out = net(1)\nstep()\n\n\ndef show(out):\n    print(out)\n", True),
        ("out = net(1)\nstep()\n\n\ndef reset():\n    global out\n    out = 1\n", False),
        ("__all__ = ['out']\nout = net(1)\nstep()\n", False),
        ("import out\nstep()\n", False),
        ("step()\n", False),
    ],
)
def test_names_of_the_module(text: str, expected: bool) -> None:
    assert deletable(text, "out", "step()", function=False) is expected


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("x = g()\nfor y in loader:\n    use()", False, False),
        ("x = g()\nwhile a:\n    if y:\n        use()", False, False),
        ("for y in loader:\n    x = g()\n    for z in y:\n        use()", False, False),
        ("x = g()\nfor y in loader:\n    use()\n    x = g()", True, True),
        ("x = g()\nfor y in loader:\n    use()\n    break", True, True),
        ("x = g()\nfor y in loader:\n    try:\n        use()\n    except E:\n        continue", False, False),
        ("for y in loader:\n    x = g()\n    if a:\n        continue\n    use()", True, True),
    ],
)
def test_what_a_loop_deletes_it_has_to_bind(body: str, before: bool, after: bool) -> None:
    model = model_of(body)
    assert (why_kept(model, ("x",), line(model, "use()"), before=True) == "") is before
    assert (why_kept(model, ("x",), line(model, "use()"), before=False) == "") is after


def test_a_parameter_is_bound_from_the_start() -> None:
    assert deletable("step()", "a", "step()")


def test_what_a_class_body_binds_is_no_variable() -> None:
    model = ScriptModel.parse("class C:\n    out = 1\n    step()\n")
    assert variable(model, line(model, "step()").body[0], "out") is None


def test_whether_a_value_is_still_bound_later() -> None:
    model = model_of(
        "for b in loader:\n    out = net(b)\n    back()\n    vis = g(out)\n    tmp = 1\n    del tmp"
    )
    target = flow_node_of(model, line(model, "back()").body[0])
    assert target is not None

    def reaches(name: str, start: str) -> bool:
        statement = line(model, start)
        found = variable(model, statement.body[0], name)
        assert found is not None
        return found.reaches(statement, target)

    assert reaches("vis", "vis =")
    assert reaches("out", "out =")
    assert not reaches("tmp", "tmp = 1")


def test_a_context_manager_of_the_file_may_swallow_exceptions() -> None:
    swallowing = "class Quiet:\n    def __exit__(self, *error):\n        return True\n\n\n"
    body = "with Quiet():\n    out = net(1)\nstep()\n"
    assert not deletable(swallowing + body, "out", "step()", function=False)
    assert deletable(swallowing.replace("True", "False") + body, "out", "step()", function=False)


def test_a_script_that_torchscript_compiles_is_left_alone() -> None:
    text = "import torch\n\n\n@torch.jit.script\ndef f(a):\n    out = a + 1\n    step()\n"
    assert not deletable(text, "out", "step()", function=False)
