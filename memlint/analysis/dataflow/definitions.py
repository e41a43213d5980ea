"""Where a value was written down: the expressions that a name, attribute, parameter or option may stand for.

A reading of the text without order, for what the abstract run does not keep: the default of an option.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import place_behind, setting
from memlint.analysis.model import ScriptModel
from memlint.syntax.names import Names, NameScope
from memlint.syntax.tree import dotted

_DEPTH = 8
_NAMESPACES = frozenset("types.SimpleNamespace argparse.Namespace easydict.EasyDict addict.Dict".split())


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """One expression that a value may come from.

    how: "value" (it is the value of `node`), "element" (an item of iterating `node`), "parameter" (what
    a caller elsewhere passes for the parameter `node`), "unknown" (`node` cannot be resolved further).
    """

    how: str
    node: cst.CSTNode


@dataclass(slots=True)
class _Bindings:
    """Every assignment of the file, by the scope and name, class and attribute, or option that it sets.

    `followed` remembers the answers for expressions, `active` those being followed: `x = x.inner` asks
    for itself.
    """

    names: dict[tuple[int, str], list[Origin]] = field(default_factory=dict)
    attributes: dict[tuple[int, str], list[Origin]] = field(default_factory=dict)
    options: dict[str, list[Origin]] = field(default_factory=dict)
    calls: dict[str, list[cst.Call]] = field(default_factory=dict)
    functions: dict[tuple[int, str], cst.FunctionDef | cst.ClassDef] = field(default_factory=dict)
    followed: dict[cst.CSTNode, list[Origin]] = field(default_factory=dict)
    active: set[cst.CSTNode] = field(default_factory=set)


def origins(model: ScriptModel, node: cst.BaseExpression) -> list[Origin]:
    """The expressions that `node` may stand for, followed to where nothing more is known."""
    bound = _bindings(model)
    known = bound.followed.get(node)
    if known is not None:
        return known
    if node in bound.active:
        return []
    bound.active.add(node)
    found = list(_follow(model, Origin("value", node), _DEPTH, set()))
    bound.active.discard(node)
    if not bound.active:
        bound.followed[node] = found
    return found


def _follow(model: ScriptModel, origin: Origin, depth: int, seen: set[int]) -> Iterator[Origin]:
    if origin.how != "value" or depth == 0 or id(origin.node) in seen:
        yield origin
        return
    seen.add(id(origin.node))
    sources = _sources(model, origin.node)
    if not sources:
        yield origin
    for source in sources:
        yield from _follow(model, source, depth - 1, seen)


def _sources(model: ScriptModel, node: cst.CSTNode) -> list[Origin]:
    """One step back; nothing where the expression speaks for itself."""
    kind = type(node)
    if kind is cst.IfExp:
        assert isinstance(node, cst.IfExp)
        return [Origin("value", node.body), Origin("value", node.orelse)]
    if isinstance(node, cst.BooleanOperation):
        return [Origin("value", node.left), Origin("value", node.right)]
    if isinstance(node, cst.NamedExpr):
        return [Origin("value", node.value)]
    if isinstance(node, cst.Name):
        return _of_name(model, node)
    if isinstance(node, cst.Attribute):
        return _of_attribute(model, node)
    if isinstance(node, cst.Subscript):
        return _of_key(model, node)
    if isinstance(node, cst.Param):
        return _passed(model, node)
    return []


def _of_name(model: ScriptModel, node: cst.Name) -> list[Origin]:
    owner = model.names_of(node).scope_of(node).owner(node.value)
    known = owner is not None and node.value not in owner.imports
    found = _bindings(model).names.get((id(owner.node), node.value), []) if owner and known else []
    return found or _set_abroad(model, node)


def _set_abroad(model: ScriptModel, node: cst.Name | cst.Attribute) -> list[Origin]:
    value = setting(model, node)
    return [Origin("value", value)] if value is not None else []


def _of_attribute(model: ScriptModel, node: cst.Attribute) -> list[Origin]:
    name = node.attr.value
    bound = _bindings(model)
    if type(node.value) is cst.Name and node.value.value in ("self", "cls"):
        klass = model.class_of(node)
        found = _of_class(model, klass, name) if klass is not None else []
        if found or klass is None:
            return found
    klass = _class_behind(model, node.value)
    if klass is not None:
        return _of_class(model, klass, name)
    made = [o for o in origins(model, node.value) if isinstance(o.node, cst.Call)]
    for origin in made:
        assert isinstance(origin.node, cst.Call)
        if _is_namespace(model, origin.node):
            return _keyword(origin.node, name)
    if model.path_of(node):
        return _set_abroad(model, node)
    return bound.options.get(name, [])


def _of_class(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> list[Origin]:
    """What a class, or else a base of it in the file, assigns to an attribute of its objects."""
    found = _bindings(model).attributes.get((id(klass), name), [])
    if found or depth == 0:
        return found
    for base in klass.bases:
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (found := _of_class(model, above, name, depth - 1)):
            return found
    return []


def _class_behind(model: ScriptModel, node: cst.BaseExpression) -> cst.ClassDef | None:
    """The class of the file that `node` names or is an object of."""
    for origin in origins(model, node):
        target = origin.node.func if isinstance(origin.node, cst.Call) else origin.node
        found = definition(model, target)
        if isinstance(found, cst.ClassDef):
            return found
    return None


def _of_key(model: ScriptModel, node: cst.Subscript) -> list[Origin]:
    """The entries of a literal dictionary under a literal key; the elements of anything else."""
    index = node.slice[0].slice if len(node.slice) == 1 else None
    if not isinstance(index, cst.Index):
        return []
    key = index.value
    found: list[Origin] = []
    for origin in origins(model, node.value):
        if isinstance(origin.node, cst.Dict) and isinstance(key, cst.SimpleString):
            found += [
                Origin("value", e.value)
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
            found += _keyword(origin.node, str(key.evaluated_value))
    return found


def _is_namespace(model: ScriptModel, call: cst.Call) -> bool:
    return dotted(call.func) == "dict" or model.path_of(call.func) in _NAMESPACES


def _keyword(call: cst.Call, name: str) -> list[Origin]:
    return [Origin("value", a.value) for a in call.args if a.keyword is not None and a.keyword.value == name]


def definition(model: ScriptModel, node: cst.CSTNode) -> cst.FunctionDef | cst.ClassDef | None:
    """The function or class of the file that a name, or `self.method`, refers to."""
    bound = _bindings(model)
    if isinstance(node, cst.Name):
        owner = model.names_of(node).scope_of(node).owner(node.value)
        found = bound.functions.get((id(owner.node), node.value)) if owner is not None else None
        return found or _cross_module(model, node)
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        if node.value.value in ("self", "cls"):
            klass = model.class_of(node)
        else:
            named = definition(model, node.value)
            klass = named if isinstance(named, cst.ClassDef) else None
        return method(model, klass, node.attr.value) if klass is not None else _cross_module(model, node)
    return None


def _cross_module(
    model: ScriptModel, node: cst.Name | cst.Attribute
) -> cst.FunctionDef | cst.ClassDef | None:
    """The definition in another module that a name or member means, once the run has met it."""
    place = place_behind(model, node) if model.cross_module is not None and model.cross_module.units else None
    body = model.cross_module.bodies.get((place.path, place.name), ()) if place and model.cross_module else ()
    return next((s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef))), None)


def method(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> cst.FunctionDef | None:
    """A method of a class, or of a base of it in the file."""
    found = _bindings(model).functions.get((id(klass), name))
    if isinstance(found, cst.FunctionDef):
        return found
    for base in klass.bases if depth else ():
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (inherited := method(model, above, name, depth - 1)):
            return inherited
    return None


def _passed(model: ScriptModel, param: cst.Param) -> list[Origin]:
    """What the calls in the file pass for a parameter; its default; "parameter" where nothing calls it."""
    function = model.parent(model.parent(param) or param)
    if not isinstance(function, cst.FunctionDef):
        return [Origin("parameter", param)]
    found: list[Origin] = []
    calls = calls_of(model, function)
    for call in calls:
        passed = argument_for(model, function, param, call)
        if passed is not None:
            found.append(Origin("value", passed))
        elif param.default is not None and not any(a.star for a in call.args):
            found.append(Origin("value", param.default))
        else:
            found.append(Origin("parameter", param))
    if not calls and param.default is not None:
        return [Origin("value", param.default), Origin("parameter", param)]
    return found or [Origin("parameter", param)]


def assigned_in(model: ScriptModel, block: cst.CSTNode) -> set[str]:
    """The names and attributes that a loop or block gives new values."""
    found: set[str] = set()
    for node in model.walk(block):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.For, cst.NamedExpr)):
            parts = [node.target]
            while parts:
                part = parts.pop()
                if isinstance(part, (cst.Tuple, cst.List)):
                    parts += [e.value for e in part.elements]
                else:
                    found.add(model.code(part))
    return found


def calls_of(model: ScriptModel, function: cst.FunctionDef) -> list[cst.Call]:
    """The calls in the file that run a function: by its name, or by its class for a constructor."""
    klass = _method_of(model, function)
    name = function.name.value
    found = []
    if klass is not None and name == "__init__":
        for call in _bindings(model).calls.get(klass.name.value, ()):
            target = definition(model, call.func)
            if isinstance(target, cst.ClassDef) and method(model, target, "__init__") is function:
                found.append(call)
        return found
    for call in _bindings(model).calls.get(name, ()):
        target = definition(model, call.func)
        if target is function or (target is None and klass is not None and type(call.func) is cst.Attribute):
            found.append(call)
    return found


def argument_for(
    model: ScriptModel, function: cst.FunctionDef, param: cst.Param, call: cst.Call
) -> cst.BaseExpression | None:
    """The expression that a call passes for a parameter of a function."""
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == param.name.value:
            return arg.value
    positional = [*function.params.posonly_params, *function.params.params]
    if param not in positional:
        return None
    position = positional.index(param)
    if _method_of(model, function) is not None and not _is_static(function):
        position -= 1
    plain = [a for a in call.args if a.keyword is None]
    if position < 0 or any(a.star for a in plain[: position + 1]) or position >= len(plain):
        return None
    return plain[position].value


def _is_static(function: cst.FunctionDef) -> bool:
    return any(dotted(d.decorator) == "staticmethod" for d in function.decorators)


def _method_of(model: ScriptModel, function: cst.FunctionDef) -> cst.ClassDef | None:
    block = model.parent(function)
    klass = model.parent(block) if block is not None else None
    return klass if isinstance(klass, cst.ClassDef) else None


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """The named parameters of a function."""
    params = function.params
    return [*params.posonly_params, *params.params, *params.kwonly_params]


@cached
def _bindings(model: ScriptModel) -> _Bindings:
    found = _Bindings()
    for names in _modules(model):
        for node in names.preorder.nodes:
            _index(model, names, found, node)
    return found


def _modules(model: ScriptModel) -> list[Names]:
    """The names of this module, and of the definitions in others that the run came to."""
    led = model.cross_module is not None and model.concerns_torch and bool(model.machine)
    units = model.cross_module.units.values() if model.cross_module is not None and led else ()
    return [model.names, *(unit.names for unit in units)]


def _index(model: ScriptModel, names: Names, bound: _Bindings, node: cst.CSTNode) -> None:
    kind = type(node)
    if kind is cst.Assign:
        assert isinstance(node, cst.Assign)
        for target in node.targets:
            _bind(model, names, bound, target.target, Origin("value", node.value))
    elif kind is cst.AnnAssign or kind is cst.NamedExpr:
        assert isinstance(node, (cst.AnnAssign, cst.NamedExpr))
        if node.value is not None:
            _bind(model, names, bound, node.target, Origin("value", node.value))
    elif kind is cst.For or kind is cst.CompFor:
        assert isinstance(node, (cst.For, cst.CompFor))
        _bind(model, names, bound, node.target, Origin("element", node.iter))
    elif kind is cst.WithItem:
        assert isinstance(node, cst.WithItem)
        if node.asname is not None:
            _bind(model, names, bound, node.asname.name, Origin("value", node.item))
    elif kind is cst.Param:
        assert isinstance(node, cst.Param)
        scope = names.scope_of(node)
        bound.names.setdefault((id(scope.node), node.name.value), []).append(Origin("value", node))
    elif kind is cst.FunctionDef or kind is cst.ClassDef:
        assert isinstance(node, (cst.FunctionDef, cst.ClassDef))
        bound.functions[(id(names.scope_of(node).node), node.name.value)] = node
    elif kind is cst.Call:
        assert isinstance(node, cst.Call)
        bound.calls.setdefault(dotted(node.func).rpartition(".")[2], []).append(node)
        _index_option(bound, node)


def _bind(model: ScriptModel, names: Names, bound: _Bindings, target: cst.CSTNode, origin: Origin) -> None:
    if isinstance(target, cst.Name):
        scope = names.scope_of(target)
        owner: NameScope = scope.owner(target.value) or scope
        bound.names.setdefault((id(owner.node), target.value), []).append(origin)
        if isinstance(owner.node, cst.ClassDef):
            bound.attributes.setdefault((id(owner.node), target.value), []).append(origin)
    elif isinstance(target, cst.Attribute):
        klass = model.class_of(target)
        if klass is not None and dotted(target.value) == "self":
            bound.attributes.setdefault((id(klass), target.attr.value), []).append(origin)
    elif isinstance(target, (cst.Tuple, cst.List)):
        values = origin.node.elements if isinstance(origin.node, (cst.Tuple, cst.List)) else ()
        paired = origin.how == "value" and len(values) == len(target.elements)
        for position, element in enumerate(target.elements):
            inner = Origin("value", values[position].value) if paired else Origin("unknown", origin.node)
            _bind(model, names, bound, element.value, inner)
    elif isinstance(target, cst.StarredElement):
        _bind(model, names, bound, target.value, origin)


def _index_option(bound: _Bindings, call: cst.Call) -> None:
    """The default of a command line option: `parser.add_argument("-j", "--workers", default=4)`."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "add_argument":
        return
    flags = [
        str(a.value.evaluated_value)
        for a in call.args
        if a.keyword is None and isinstance(a.value, cst.SimpleString)
    ]
    named = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    dest = named.get("dest")
    long = [f for f in flags if f.startswith("--")] or flags
    name = long[0].lstrip("-").replace("-", "_") if long else ""
    if isinstance(dest, cst.SimpleString):
        name = str(dest.evaluated_value)
    if not name:
        return
    default = named.get("default")
    bound.options.setdefault(name, []).append(
        Origin("value", default) if default is not None else Origin("unknown", call)
    )
