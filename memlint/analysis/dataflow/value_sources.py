"""Where a value was written down: the expressions that a name, attribute, parameter or option may stand for.

A reading of all definitions without order, for what the abstract run does not keep: the default of an option.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import setting
from memlint.analysis.dataflow.definitions import Definition, definition_index, definitions_of
from memlint.analysis.dataflow.functions import argument_for, calls_of, definition
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import dotted

_DEPTH = 8
_NAMESPACES = frozenset("types.SimpleNamespace argparse.Namespace easydict.EasyDict addict.Dict".split())
_PLAIN = frozenset({"value", "entered", "param"})
_PARTS = frozenset({"item", "each", "each item", "entered item", "other"})


@dataclass(slots=True)
class _Followed:
    """The answers for expressions, and those being followed: `x = x.inner` asks for itself."""

    known: dict[cst.CSTNode, list[Definition]] = field(default_factory=dict)
    active: set[cst.CSTNode] = field(default_factory=set)


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
        return []
    followed.active.add(node)
    found = list(_follow(model, Definition("value", node), _DEPTH, set()))
    followed.active.discard(node)
    if not followed.active:
        followed.known[node] = found
    return found


def _follow(model: ScriptModel, origin: Definition, depth: int, seen: set[int]) -> Iterator[Definition]:
    if origin.kind != "value" or depth == 0 or id(origin.node) in seen:
        yield origin
        return
    seen.add(id(origin.node))
    sources = _sources(model, origin.node)
    if not sources:
        yield origin
    for source in sources:
        yield from _follow(model, source, depth - 1, seen)


def _sources(model: ScriptModel, node: cst.CSTNode) -> list[Definition]:
    """One step back; nothing where the expression speaks for itself."""
    if choices := choices_of(node):
        return [Definition("value", choice) for choice in choices]
    if isinstance(node, cst.Name):
        return _of_name(model, node)
    if isinstance(node, cst.Attribute):
        return _of_attribute(model, node)
    if isinstance(node, cst.Subscript):
        return _of_key(model, node)
    if isinstance(node, cst.Param):
        return _passed(model, node)
    return []


def choices_of(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    """The expressions one of which is the value of a conditional, of `and` and `or`, or of `(a := b)`."""
    if isinstance(node, cst.IfExp):
        return node.body, node.orelse
    if isinstance(node, cst.BooleanOperation):
        return node.left, node.right
    return (node.value,) if isinstance(node, cst.NamedExpr) else ()


def _of_name(model: ScriptModel, node: cst.Name) -> list[Definition]:
    found = [_plain(d) for d in definitions_of(model, node) if d.kind in _PLAIN or d.kind in _PARTS]
    return found or _set_elsewhere(model, node)


def _plain(found: Definition) -> Definition:
    """What is entered or passed is followed like any other value."""
    return Definition("value", found.node) if found.kind in _PLAIN else found


def _set_elsewhere(model: ScriptModel, node: cst.Name | cst.Attribute) -> list[Definition]:
    value = setting(model, node)
    return [Definition("value", value)] if value is not None else []


def _of_attribute(model: ScriptModel, node: cst.Attribute) -> list[Definition]:
    name = node.attr.value
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


def _passed(model: ScriptModel, param: cst.Param) -> list[Definition]:
    """What the calls in the file pass for a parameter; its default; itself where nothing calls it."""
    function = model.parent(model.parent(param) or param)
    if not isinstance(function, cst.FunctionDef):
        return [Definition("param", param)]
    found: list[Definition] = []
    calls = calls_of(model, function)
    for call in calls:
        passed = argument_for(model, function, param, call)
        if passed is not None:
            found.append(Definition("value", passed))
        elif param.default is not None and not any(a.star for a in call.args):
            found.append(Definition("value", param.default))
        else:
            found.append(Definition("param", param))
    if not calls and param.default is not None:
        return [Definition("value", param.default), Definition("param", param)]
    return found or [Definition("param", param)]
