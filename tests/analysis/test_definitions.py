"""Definitions: what a statement binds, which definitions reach a name, where a value was written down."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.dataflow.constants import MISSING, constant, given_to, integer_of, sole_value
from memlint.analysis.dataflow.definitions import definitions_by, definitions_of, option_of
from memlint.analysis.dataflow.functions import assigned_in, definition
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.dataflow.value_sources import call_graph, expressions_behind, value_sources
from memlint.analysis.model import ScriptModel


def last_argument(model: ScriptModel) -> cst.BaseExpression:
    """What the last call of `use` in the file is given."""
    return [c for c in model.names.calls if model.code(c.func) == "use"][-1].args[0].value


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1", ["a value 1"]),
        ("a = b = 1", ["a value 1", "b value 1"]),
        ("a, b = 1, 2", ["a value 1", "b value 2"]),
        ("a, (b, c) = 1, (2, 3)", ["a value 1", "b value 2", "c value 3"]),
        ("a, b = f()", ["a item f()", "b item f()"]),
        ("a, *b = 1, 2, 3", ["a item 1, 2, 3", "b other 1, 2, 3"]),
        ("a: int = 1", ["a value 1"]),
        ("a: int", []),
        ("a += 1", ["a updated a += 1"]),
        ("self.a = 1", ["self.a value 1"]),
        ("box[0] = 1", ["box[0] value 1"]),
        ("import a.b, c as d", ["a import import a.b, c as d", "d import import a.b, c as d"]),
    ],
)
def test_what_a_statement_binds(code: str, expected: list[str]) -> None:
    model = ScriptModel.parse(code + "\n")
    (line,) = model.module.body
    assert isinstance(line, cst.SimpleStatementLine)
    found = definitions_by(line.body[0])
    assert [f"{model.code(target)} {d.kind} {model.code(d.node)}" for target, d in found] == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for a, b in c: pass", ["each item 0", "each item 1"]),
        ("with c as a: pass", []),
        ("def f(a): pass", ["function -1"]),
        ("class A: pass", ["class -1"]),
    ],
)
def test_what_a_compound_statement_binds_by_itself(code: str, expected: list[str]) -> None:
    (statement,) = cst.parse_module(code + "\n").body
    assert [f"{d.kind} {d.index}" for _, d in definitions_by(statement)] == expected


def reaching(code: str) -> list[str]:
    model = ScriptModel.parse(code + "\n")
    found = reaching_definitions(model, last_argument(model))
    return sorted(f"{d.kind} {model.code(d.node)}" if d.kind == "value" else d.kind for d in found)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1\nuse(a)", ["value 1"]),
        ("a = 1\na = 2\nuse(a)", ["value 2"]),
        ("a = 1\nif c:\n    a = 2\nuse(a)", ["value 1", "value 2"]),
        ("if c:\n    a = 1\nelse:\n    a = 2\nuse(a)", ["value 1", "value 2"]),
        ("a = 1\nif c:\n    a = 2\n    return\nuse(a)", ["value 1"]),
        ("a = 1\nif c:\n    a = 2\nelse:\n    raise E\nuse(a)", ["value 2"]),
        ("a = 1\nfor x in y:\n    use(a)\n    a = 2", ["value 1", "value 2"]),
        ("for a in y:\n    use(a)", ["each"]),
        ("while c:\n    a = 1\nuse(a)", ["value 1"]),
        ("with open(p) as a:\n    use(a)", ["entered"]),
        ("try:\n    a = 1\nexcept E:\n    a = 2\nuse(a)", ["value 1", "value 2"]),
        ("try:\n    a = 1\nfinally:\n    a = 2\nuse(a)", ["value 2"]),
        ("match c:\n    case 1:\n        a = 1\nuse(a)", ["value 1"]),
        ("a = 1\na += 1\nuse(a)", ["updated"]),
        ("a = 1\ndef f(a):\n    use(a)", ["param"]),
        ("a = 1\ndef f():\n    use(a)\na = 2", ["value 2"]),
        ("def g():\n    global a\n    a = 3\ndef f():\n    use(a)", ["value 3"]),
        ("a = 1\ndef g():\n    global a\n    a = 3\ndef f():\n    use(a)", ["value 1", "value 3"]),
        ("a = 1\ndef g():\n    global a\n    a = 3\nuse(a)", ["value 1"]),
        ("[use(a) for a in y]", ["each"]),
        ("a.b = 1\nuse(a.b)", ["value 1"]),
        ("import a\nuse(a)", ["import"]),
        ("class A:\n def g(self):\n  self.x = 1\n def f(self):\n  use(self.x)", ["value 1"]),
        ("class B:\n def g(self):\n  self.x = 1\nclass A(B):\n def f(self):\n  use(self.x)", ["value 1"]),
        ("use(f())", []),
    ],
)
def test_reaching_definitions(code: str, expected: list[str]) -> None:
    assert reaching(code) == expected


def sources(code: str) -> list[str]:
    model = ScriptModel.parse(code + "\n")
    return [f"{d.kind} {model.code(d.node)}" for d in value_sources(model, last_argument(model))]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1\nb = a\nuse(b)", ["value 1"]),
        ("use(1 if c else 2)", ["value 1", "value 2"]),
        ("use(b or 4)", ["value b", "value 4"]),
        ("def f(n=8):\n    use(n)", ["value 8", "param n=8"]),
        ("def f(n):\n    use(n)\nf(3)\nf(n=4)", ["value 3", "value 4"]),
        ("def f(n):\n    use(n)", ["param n"]),
        ("class A:\n def __init__(self, n):\n  self.n = n\n def g(self):\n  use(self.n)\nA(5)", ["value 5"]),
        ("p.add_argument('--num-workers', default=4)\nuse(args.num_workers)", ["value 4"]),
        ("p.add_argument('-j', '--workers', dest='n', default=2)\nuse(args.n)", ["value 2"]),
        ("p.add_argument('--n')\nuse(args.n)", ["other p.add_argument('--n')"]),
        ("c = {'n': 6}\nuse(c['n'])", ["value 6"]),
        ("c = dict(n=7)\nuse(c['n'])", ["value 7"]),
        ("from argparse import Namespace\nc = Namespace(n=9)\nuse(c.n)", ["value 9"]),
        ("for a in y:\n    use(a)", ["each y"]),
        ("a, b = f()\nuse(b)", ["item f()"]),
        ("with make() as a:\n    use(a)", ["value make()"]),
        ("x = x.inner\nuse(x)", ["value x.inner"]),
    ],
)
def test_value_sources(code: str, expected: list[str]) -> None:
    assert sources(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1\nb = a\na = 2\nuse(b)", ["1"]),
        ("def f():\n    return 3\nuse(f())", ["3"]),
        ("def f(n=1):\n    return n\nuse(f(4))", ["4", "1"]),
        ("def f():\n    return 5, 6\na, b = f()\nuse(b)", ["6"]),
        ("class A:\n def __init__(self):\n  self.n = 7\nuse(A().n)", ["7"]),
        ("p.add_argument('--n', default=8)\nuse(args.n)", ["8"]),
        ("for a in y:\n    use(a)", ["a"]),
        ("def f(m):\n    return m, 1\nm = 9\nfor x in y:\n    m, n = f(m)\nuse(m)", ["9"]),
        ("def f(m, n):\n    return n, m\na, b = 1, 2\nfor x in y:\n    a, b = f(a, b)\nuse(b)", ["2", "1"]),
        ("def f(m):\n    m, n = f(m)\n    return m, n\na, b = f(1)\nuse(a)", ["m"]),
    ],
)
def test_the_walk_through_calls_gives_the_expressions_behind_a_value(code: str, expected: list[str]) -> None:
    model = ScriptModel.parse(code + "\n")
    assert [model.code(node) for node in expressions_behind(model, last_argument(model))] == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("use(3)", 3),
        ("use(-2.5)", -2.5),
        ("use('a')", "a"),
        ("use(None)", None),
        ("n = 4\nuse(n)", 4),
        ("n = 4\nn = 5\nuse(n)", MISSING),
        ("n = 4\nn += 1\nuse(n)", MISSING),
        ("for n in y:\n    use(n)", MISSING),
        ("n: int\nn = 4\nuse(n)", 4),
        ("a, n = 1, 2\nuse(n)", 2),
        ("use(f())", MISSING),
    ],
)
def test_constant(code: str, expected: object) -> None:
    model = ScriptModel.parse(code + "\n")
    assert constant(model, last_argument(model)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("k = 8\nuse(k)", 8),
        ("def f(k=8):\n    use(k)", 8),
        ("p.add_argument('--k', default=8)\nuse(args.k)", 8),
        ("class A:\n    k = 8\n    def f(self):\n        use(self.k)", 8),
        ("k = 8\nother.k = 9\nuse(k)", None),
        ("k = g()\nuse(k)", None),
        ("use(k)", None),
    ],
)
def test_integer_of(code: str, expected: int | None) -> None:
    model = ScriptModel.parse(code + "\n")
    assert integer_of(model, last_argument(model)) == expected


def test_options_and_parameters_are_values_given_to_a_name() -> None:
    code = "k = 1\ndef f(k=2): pass\np.add_argument('--k', default=3)\n"
    model = ScriptModel.parse(code)
    assert sorted(model.code(v) for v in given_to(model, "k")) == ["1", "2", "3"]


def test_the_names_of_options() -> None:
    model = ScriptModel.parse("p.add_argument('-b', '--batch-size')\np.add_argument('path')\nf('--x')\n")
    assert [option_of(call) for call in model.names.calls] == ["batch_size", "path", ""]


def test_functions_and_their_calls() -> None:
    model = ScriptModel.parse("class A:\n    def m(self): pass\ndef f(): pass\nf()\na = A()\na.m()\n")
    methods, graph = {f.name.value: f for f in model.names.every(cst.FunctionDef)}, call_graph(model)
    assert [model.code(c) for c in graph.sites(methods["f"])] == ["f()"]
    assert [model.code(c) for c in graph.sites(methods["m"])] == ["a.m()"]
    assert definition(model, model.names.calls[0].func) is methods["f"]


def test_a_method_perhaps_runs_on_any_object() -> None:
    classes = "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\n"
    model = ScriptModel.parse(f"{classes}a.m()\nB().m()\nB.m(b)\n")
    (first, second), graph = model.names.every(cst.FunctionDef), call_graph(model)
    assert [model.code(c) for c in graph.sites(first)] == []
    assert [model.code(c) for c in graph.sites(second)] == ["B().m()", "B.m(b)"]
    assert [model.code(c) for c in graph.sites(first, perhaps=True)] == ["a.m()", "B().m()"]


def test_the_last_of_several_definitions_is_meant() -> None:
    model = ScriptModel.parse("def f(): pass\nif x:\n    def f(): pass\nf()\n")
    _, second = model.names.every(cst.FunctionDef)
    assert definition(model, model.names.calls[0].func) is second


def test_a_name_of_an_inner_scope_is_another_variable() -> None:
    model = ScriptModel.parse("a = 1\ndef f():\n    a = 2\n    use(a)\n")
    name = last_argument(model)
    assert isinstance(name, cst.Name)
    assert [model.code(d.node) for d in definitions_of(model, name)] == ["2"]
    value = sole_value(model, name)
    assert value is not None
    assert model.code(value) == "2"


def test_what_a_block_assigns() -> None:
    model = ScriptModel.parse("for i in y:\n    a, b.c = f()\n    d += 1\n    with o as e: pass\n")
    assert assigned_in(model, model.module) == {"i", "a", "b.c", "d", "e"}
