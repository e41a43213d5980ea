"""Definitions: every place that gives a name, an attribute or a command-line option a value.

This is the index of them all, without regard to order. `reaching_definitions` says which of them reach a
place, `value_sources` follows them to where a value is written down, `constants` to numbers and strings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.names import Names, NameScope
from memlint.syntax.tree import dotted, last_name

FunctionOrClass = cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One definition of a name.

    kind: "value" (`node` is the expression), "item" (number `index` of what `node` gives), "each" (an
    element of `node`), "entered" (what the context manager `node` gives), "each item" and "entered item"
    (a part of those), "updated" (`node` is an augmented assignment), "function", "class", "param" (`node` is
    the definition), "import", "caught" (an exception), or "other" (a part further inside of `node`).
    """

    kind: str
    node: cst.CSTNode
    index: int = -1


Bound = Iterator[tuple[cst.BaseExpression, Definition]]
"""Targets that something binds, taken apart to names, attributes and subscripts."""

# Node classes have no subclasses, and asking for the type is ten times faster than `isinstance` is for them.
_BINDING_TYPES = frozenset({
    cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.AugAssign, cst.For, cst.CompFor, cst.WithItem,
    cst.ExceptHandler, cst.ExceptStarHandler, cst.Import, cst.ImportFrom, cst.FunctionDef, cst.ClassDef,
    cst.Param,
})  # fmt: skip
_INDEXED = _BINDING_TYPES | {cst.Call}


_SEQUENCES = frozenset({cst.Tuple, cst.List})


def definitions_by(node: cst.CSTNode) -> Bound:
    """What one statement, clause or parameter binds by itself, without what is below it."""
    return _bound_by(node) if type(node) in _BINDING_TYPES else iter(())


def _bound_by(node: Any) -> Bound:
    kind = type(node)
    if kind is cst.Assign:
        for target in node.targets:
            yield from assigned(target.target, node.value, "value")
    elif kind is cst.Param:
        yield node.name, Definition("param", node)
    elif kind is cst.AnnAssign or kind is cst.NamedExpr:
        if node.value is not None:
            yield from assigned(node.target, node.value, "value")
    elif kind is cst.AugAssign:
        yield node.target, Definition("updated", node)
    elif kind is cst.For or kind is cst.CompFor:
        yield from assigned(node.target, node.iter, "each")
    elif kind is cst.WithItem:
        if node.asname is not None:
            yield from assigned(node.asname.name, node.item, "entered")
    elif kind is cst.ExceptHandler or kind is cst.ExceptStarHandler:
        if node.name is not None:
            yield node.name.name, Definition("caught", node)
    elif kind is cst.Import or kind is cst.ImportFrom:
        if not isinstance(node.names, cst.ImportStar):
            for alias in node.names:
                yield _imported(alias), Definition("import", node)
    elif kind is cst.FunctionDef:
        yield node.name, Definition("function", node)
    elif kind is cst.ClassDef:
        yield node.name, Definition("class", node)


def _imported(alias: cst.ImportAlias) -> cst.BaseExpression:
    """The name that `import a.b` or `import a.b as c` binds."""
    if alias.asname is not None:
        return alias.asname.name
    found: cst.BaseExpression = alias.name
    while isinstance(found, cst.Attribute):
        found = found.value
    return found


def assigned(target: cst.BaseExpression, value: cst.BaseExpression, kind: str) -> Bound:
    """What assigning a value to a target binds. `a, b = 1, 2` gives each name its own value."""
    if type(target) not in _SEQUENCES:
        yield target, Definition(kind, value)
        return
    assert isinstance(target, (cst.Tuple, cst.List))
    parts = value.elements if isinstance(value, (cst.Tuple, cst.List)) else ()
    starred = any(isinstance(e, cst.StarredElement) for e in (*target.elements, *parts))
    paired = kind == "value" and len(parts) == len(target.elements) and not starred
    for number, element in enumerate(target.elements):
        if paired:
            yield from assigned(element.value, parts[number].value, kind)
        elif isinstance(element, cst.StarredElement) or isinstance(element.value, (cst.Tuple, cst.List)):
            yield from ((name, Definition("other", value)) for name in _names(element.value))
        else:
            yield element.value, Definition("item" if kind == "value" else f"{kind} item", value, number)


def _names(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _names(element.value)
    else:
        yield target


# --- the index ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class DefinitionIndex:
    """Every definition of a file, and of what its run came to, in source order.

    `names` are by the node of a scope and the name, `attributes` by class and attribute, `options` by the
    attribute of a command-line option, `words` by the last part of whatever is written (of this file only).
    """

    names: dict[tuple[int, str], list[Definition]] = field(default_factory=dict)
    attributes: dict[tuple[int, str], list[Definition]] = field(default_factory=dict)
    options: dict[str, list[Definition]] = field(default_factory=dict)
    words: dict[str, list[Definition]] = field(default_factory=dict)
    calls: dict[str, list[cst.Call]] = field(default_factory=dict)
    functions: dict[tuple[int, str], FunctionOrClass] = field(default_factory=dict)


@cached
def definition_index(model: ScriptModel) -> DefinitionIndex:
    """The index of a file, made once."""
    found = DefinitionIndex()
    for names in _modules(model):
        for node in names.preorder.nodes:
            if type(node) in _INDEXED:
                _index(model, names, found, node)
    return found


def _modules(model: ScriptModel) -> list[Names]:
    """The names of this module, and of the definitions in others that the run came to."""
    led = model.cross_module is not None and model.concerns_torch and bool(model.machine)
    units = model.cross_module.units.values() if model.cross_module is not None and led else ()
    return [model.names, *(unit.names for unit in units)]


def _index(model: ScriptModel, names: Names, index: DefinitionIndex, node: cst.CSTNode) -> None:
    kind = type(node)
    if kind is cst.Call:
        assert isinstance(node, cst.Call)
        index.calls.setdefault(last_name(node.func), []).append(node)
        _index_option(index, node, names is model.names)
    elif kind in _BINDING_TYPES:
        for target, definition in definitions_by(node):
            _index_target(model, names, index, node, target, definition)


def _index_target(
    model: ScriptModel,
    names: Names,
    index: DefinitionIndex,
    by: cst.CSTNode,
    target: cst.BaseExpression,
    definition: Definition,
) -> None:
    if names is model.names:
        index.words.setdefault(last_name(target), []).append(definition)
    if isinstance(target, cst.Name):
        # A parameter's name has its scope noted on the parameter, those of functions and imports on them.
        scope = names.scope_of(target if target in names.scopes else by)
        owner: NameScope = scope.owner(target.value) or scope
        index.names.setdefault((id(owner.node), target.value), []).append(definition)
        if isinstance(by, (cst.FunctionDef, cst.ClassDef)):
            index.functions[(id(names.scope_of(by).node), target.value)] = by
        elif isinstance(owner.node, cst.ClassDef):
            index.attributes.setdefault((id(owner.node), target.value), []).append(definition)
    elif isinstance(target, cst.Attribute) and dotted(target.value) == "self":
        klass = model.class_of(target)
        if klass is not None:
            index.attributes.setdefault((id(klass), target.attr.value), []).append(definition)


def _index_option(index: DefinitionIndex, call: cst.Call, own: bool) -> None:
    """The default of a command-line option: `parser.add_argument("-j", "--workers", default=4)`."""
    name = option_of(call)
    if not name:
        return
    default = keyword(call, "default")
    definition = Definition("value", default) if default is not None else Definition("other", call)
    index.options.setdefault(name, []).append(definition)
    if own:
        index.words.setdefault(name, []).append(definition)


def option_of(call: cst.Call) -> str:
    """The attribute that `parser.add_argument("--some-option", ...)` fills, "" for other calls."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "add_argument":
        return ""
    dest = keyword(call, "dest")
    if isinstance(dest, cst.SimpleString):
        return str(dest.evaluated_value)
    flags = [
        str(a.value.evaluated_value)
        for a in call.args
        if a.keyword is None and isinstance(a.value, cst.SimpleString)
    ]
    long = [f for f in flags if f.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else ""


# --- questions to the index -----------------------------------------------------------------------------


def definitions_of(model: ScriptModel, name: cst.Name) -> list[Definition]:
    """Every definition of the variable that a name means, in any order; none for imports and builtins."""
    owner = model.names_of(name).scope_of(name).owner(name.value)
    return [] if owner is None or name.value in owner.imports else definitions_of_variable(model, name)


def definitions_of_variable(model: ScriptModel, name: cst.Name) -> list[Definition]:
    """The same with the imports that bind the name."""
    owner = model.names_of(name).scope_of(name).owner(name.value)
    found = definition_index(model).names
    return found.get((id(owner.node), name.value), []) if owner is not None else []


def definitions_named(model: ScriptModel, word: str) -> list[Definition]:
    """Every definition in the file of a variable, attribute, parameter or option of this name."""
    return definition_index(model).words.get(word, [])
