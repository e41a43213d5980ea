"""Where a value was written down: the expressions that a name, attribute, parameter or option may stand for.

A reading of the definitions that reach each place, for what the abstract run does not keep, such as the
default of an option. One walk, which goes through calls where that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from weakref import ref

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import setting
from memlint.analysis.dataflow.definitions import Definition, definition_index
from memlint.analysis.dataflow.functions import CallGraph, definition, returned
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import argument_for, keyword
from memlint.syntax.tree import dotted

_DEPTH = 12
_TIMES = 3
"""How often what an expression stands for is looked for again while it asks for what it is part of."""

_NAMESPACES = frozenset("types.SimpleNamespace argparse.Namespace easydict.EasyDict addict.Dict".split())
_HANDED_IN = frozenset({"entered", "param"})
_WHOLE = frozenset({"value", "function", "class"})
"""Kinds of definitions whose node is the value itself."""
_PARTS = frozenset({"item", "each", "each item", "entered item", "other"})


@dataclass(slots=True)
class _Followed:
    """The answers for expressions, and those being followed: `x = x.inner` asks for itself.

    `cut` are those that were asked for while they were being followed. What was found until then may lack
    something, and is `partly` known: with its cuts, and how often it was found so. In a web of such names, as
    in the parser of a language, each is asked for on as many ways as there are through all the others.
    """

    known: dict[cst.CSTNode, list[Definition]] = field(default_factory=dict)
    active: set[cst.CSTNode] = field(default_factory=set)
    cut: set[cst.CSTNode] = field(default_factory=set)
    partly: dict[cst.CSTNode, tuple[list[Definition], set[cst.CSTNode], int]] = field(default_factory=dict)


@cached
def _followed(_: ScriptModel) -> _Followed:
    return _Followed()


def value_sources(model: ScriptModel, node: cst.BaseExpression) -> list[Definition]:
    """What `node` may stand for, followed to where nothing more is known.

    Of kind "value" is an expression that speaks for itself, of kind "param" a parameter that callers
    elsewhere give a value; of the other kinds are parts of what the node of the definition gives.
    """
    followed = _followed(model)
    known = followed.known.get(node)
    if known is not None:
        return known
    if node in followed.active:
        followed.cut.add(node)
        return []
    found, cut, times = followed.partly.get(node, ([], set(), 0))
    if times == _TIMES:
        followed.cut |= cut & followed.active
        return found
    outer, followed.cut = followed.cut, set()
    followed.active.add(node)
    found = [source for source, _ in _follow(_Walk(model), Definition("value", node), node, 0)]
    followed.active.discard(node)
    followed.cut.discard(node)
    if not followed.active:
        followed.partly.clear()
    if followed.cut:
        followed.partly[node] = found, followed.cut, times + 1
    else:
        followed.known[node] = found
    followed.cut = followed.cut | outer
    return found


def expressions_behind(model: ScriptModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The expressions that a value comes from, through calls of functions of the project as well.

    What cannot be followed stands for itself: a parameter that no call gives, a loop variable, a subscript.
    """
    return _behind(_Walk(model, call_graph(model)), node)


def _behind(walk: _Walk, node: cst.CSTNode) -> list[cst.CSTNode]:
    ends = _follow(walk, Definition("value", node), node, 0)
    return list(dict.fromkeys(end.node if end.kind in _WHOLE else read for end, read in ends))


@cached
def call_graph(model: ScriptModel) -> CallGraph:
    """Which functions the calls of a file mean, made once."""
    return CallGraph(ref(model), expressions_behind)


@dataclass(slots=True)
class _Walk:
    """One walk back from an expression; with a `graph` it goes through calls, too.

    `whole` are the values for parts of which the walks around this one are looking: of
    `model, info = load(model)` in a loop, `load` is given what it gave before.
    """

    model: ScriptModel
    graph: CallGraph | None = None
    whole: frozenset[cst.CSTNode] = frozenset()
    seen: set[int] = field(default_factory=set)


def _follow(
    walk: _Walk, origin: Definition, read: cst.CSTNode, depth: int
) -> Iterator[tuple[Definition, cst.CSTNode]]:
    """The ends of a walk, each with the expression that was read last on the way to it."""
    if origin.kind != "value" or depth == _DEPTH:
        yield origin, read
        return
    node = origin.node
    if id(node) in walk.seen:
        return
    walk.seen.add(id(node))
    read = read if type(node) is cst.Param else node
    sources = _sources(walk, node)
    if not sources:
        yield origin, read
    for source in sources:
        if source.node is node:
            yield source, read
        else:
            yield from _follow(walk, source, read, depth + 1)


def _sources(walk: _Walk, node: cst.CSTNode) -> list[Definition]:
    """One step back; nothing where the expression speaks for itself."""
    if choices := choices_of(node):
        return _values(choices)
    if isinstance(node, cst.Name):
        return _of_name(walk, node)
    if isinstance(node, cst.Attribute):
        return _of_attribute(walk, node)
    if isinstance(node, cst.Subscript):
        return _of_key(walk.model, node)
    if isinstance(node, cst.Param):
        return _passed(walk, node)
    if isinstance(node, cst.Call) and walk.graph is not None:
        called = (f for f in walk.graph.callees(node) if isinstance(f, cst.FunctionDef))
        return _values(value for function in called for value in returned(walk.model, function))
    return []


def _values(nodes: Iterable[cst.CSTNode]) -> list[Definition]:
    return [Definition("value", node) for node in nodes]


def choices_of(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    """The expressions one of which is the value of a conditional, of `and` and `or`, or of `(a := b)`."""
    if isinstance(node, cst.IfExp):
        return node.body, node.orelse
    if isinstance(node, cst.BooleanOperation):
        return node.left, node.right
    return (node.value,) if isinstance(node, cst.NamedExpr) else ()


def _of_name(walk: _Walk, node: cst.Name) -> list[Definition]:
    return _reaching(walk, node) or _set_elsewhere(walk.model, node)


def _reaching(walk: _Walk, node: cst.Name | cst.Attribute) -> list[Definition]:
    """What the definitions that reach a read give it, with parts of unknown values as they are."""
    found: list[Definition] = []
    for d in reaching_definitions(walk.model, node):
        if d.kind == "value" or d.kind in _HANDED_IN:
            found.append(_plain(d))
        elif d.kind == "item" and walk.graph is not None:
            found += _members(walk, d) or [d]
        elif d.kind in _PARTS or (d.kind in _WHOLE and walk.graph is not None):
            found.append(d)
        elif walk.graph is not None:
            found.append(Definition("value", node))
    return found


def _members(walk: _Walk, part: Definition) -> list[Definition]:
    """The values of one name of `a, b = build()`, where the function ends in `return x, y`."""
    if part.node in walk.whole:
        return []
    inner = _Walk(walk.model, walk.graph, walk.whole | {part.node})
    given = (e for e in _behind(inner, part.node) if isinstance(e, (cst.Tuple, cst.List)))
    return _values(e.elements[part.index].value for e in given if part.index < len(e.elements))


def _plain(found: Definition) -> Definition:
    """What is entered or passed is followed like any other value."""
    return Definition("value", found.node) if found.kind in _HANDED_IN else found


def _set_elsewhere(model: ScriptModel, node: cst.Name | cst.Attribute) -> list[Definition]:
    value = setting(model, node)
    return [Definition("value", value)] if value is not None else []


def _of_attribute(walk: _Walk, node: cst.Attribute) -> list[Definition]:
    model, name = walk.model, node.attr.value
    if found := _reaching(walk, node):
        return found
    if walk.graph is not None and (stored := walk.graph.stored(node)):
        return [_plain(d) for d in stored]
    if type(node.value) is cst.Name and node.value.value in ("self", "cls"):
        klass = model.class_of(node)
        found = _of_class(model, klass, name) if klass is not None else []
        if found or klass is None:
            return found
    klass = _class_behind(model, node.value)
    if klass is not None:
        return _of_class(model, klass, name)
    made = [o for o in value_sources(model, node.value) if isinstance(o.node, cst.Call)]
    for origin in made:
        assert isinstance(origin.node, cst.Call)
        if _is_namespace(model, origin.node):
            return _keyword_given(origin.node, name)
    if model.path_of(node):
        return _set_elsewhere(model, node)
    return definition_index(model).options.get(name, [])


def _of_class(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> list[Definition]:
    """What a class, or else a base of it in the file, assigns to an attribute of its objects."""
    given = definition_index(model).attributes.get((id(klass), name), [])
    found = [_plain(d) for d in given if d.kind != "updated"]
    if found or depth == 0:
        return found
    for base in klass.bases:
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (found := _of_class(model, above, name, depth - 1)):
            return found
    return []


def _class_behind(model: ScriptModel, node: cst.BaseExpression) -> cst.ClassDef | None:
    """The class of the file that `node` names or is an object of."""
    for origin in value_sources(model, node):
        target = origin.node.func if isinstance(origin.node, cst.Call) else origin.node
        found = definition(model, target)
        if isinstance(found, cst.ClassDef):
            return found
    return None


def _of_key(model: ScriptModel, node: cst.Subscript) -> list[Definition]:
    """The entries of a literal dictionary under a literal key; the elements of anything else."""
    index = node.slice[0].slice if len(node.slice) == 1 else None
    if not isinstance(index, cst.Index):
        return []
    key = index.value
    found: list[Definition] = []
    for origin in value_sources(model, node.value):
        if isinstance(origin.node, cst.Dict) and isinstance(key, cst.SimpleString):
            found += [
                Definition("value", e.value)
                for e in origin.node.elements
                if isinstance(e, cst.DictElement)
                and isinstance(e.key, cst.SimpleString)
                and e.key.evaluated_value == key.evaluated_value
            ]
        elif (
            isinstance(origin.node, cst.Call)
            and isinstance(key, cst.SimpleString)
            and _is_namespace(model, origin.node)
        ):
            found += _keyword_given(origin.node, str(key.evaluated_value))
    return found


def _is_namespace(model: ScriptModel, call: cst.Call) -> bool:
    return dotted(call.func) == "dict" or model.path_of(call.func) in _NAMESPACES


def _keyword_given(call: cst.Call, name: str) -> list[Definition]:
    value = keyword(call, name)
    return [Definition("value", value)] if value is not None else []


def _passed(walk: _Walk, param: cst.Param) -> list[Definition]:
    """What the calls in the file pass for a parameter; its default; itself where nothing calls it."""
    model = walk.model
    function = model.parent(model.parent(param) or param)
    unknown = Definition("param", param)
    if not isinstance(function, cst.FunctionDef):
        return [unknown]
    if walk.graph is not None:
        return _values(walk.graph.passed(param)) or [unknown]
    found: list[Definition] = []
    calls = call_graph(model).sites(function, perhaps=True)
    for call in calls:
        passed = argument_for(call, function, param.name.value)
        if passed is not None:
            found.append(Definition("value", passed))
        elif param.default is not None and not any(a.star for a in call.args):
            found.append(Definition("value", param.default))
        else:
            found.append(unknown)
    if not calls and param.default is not None:
        return [Definition("value", param.default), unknown]
    return found or [unknown]
