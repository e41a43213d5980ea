"""What abstract values hold: graph identities, tensor kinds and modules, through containers."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.values import (
    NO_IDS,
    Choice,
    Const,
    Items,
    Kind,
    Method,
    Obj,
    Params,
    Ref,
    Tensor,
    Unknown,
    Value,
    choice,
    ids_of,
    kind_of,
    options_of,
    united,
)
from memlint.syntax.expressions import given_to
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted


def deep_ids(machine: Machine, value: Value, depth: int = 0) -> frozenset[int]:
    """The graph identities of a value and of everything stored in it, three levels deep."""
    kind = type(value)
    if kind is not Ref and kind is not Items and kind is not Choice:
        return ids_of(value)
    found = set(ids_of(value))
    if isinstance(value, (Items, Choice)):
        for item in value.items if isinstance(value, Items) else value.options:
            found |= deep_ids(machine, item, depth)
    elif isinstance(value, Ref) and depth < 3 and machine.state is not None:
        for inner in stored(machine, value.obj):
            found |= deep_ids(machine, inner, depth + 1)
        if found and value.obj.kind in ("list", "dict"):
            found.add(content_id(machine, value.obj, frozenset(found)))
    return frozenset(found)


def content_id(machine: Machine, obj: Obj, inner: frozenset[int]) -> int:
    """The identity of "what is in this container": a backward from its elements runs through it."""
    number = machine.number("content", obj.id)
    machine.trace.parents[number] = machine.trace.parents.get(number, NO_IDS) | inner
    machine.trace.lightweight.add(number)
    machine.ages[number] = min((machine.ages[n] for n in inner if n in machine.ages), default=machine.clock)
    return number


def graph_members(machine: Machine, value: Value) -> list[tuple[int, Kind | None]]:
    """(identity, kind) of every value in a structure that may carry a graph; None for unknown ones."""
    members: list[tuple[int, Kind | None]] = []
    for found in tensors_in(machine, value):
        if isinstance(found, Unknown):
            members += [(n, None) for n in found.ids]
        elif found.kind >= Kind.MAYBE:
            members += [(n, found.kind) for n in found.ids]
    return members


def tensors_in(machine: Machine, value: Value, depth: int = 0) -> list[Tensor | Unknown]:
    """All tensors and unknown values in a structure, three levels deep."""
    if isinstance(value, (Tensor, Unknown)):
        return [value]
    members: list[Tensor | Unknown] = []
    if isinstance(value, (Items, Choice)):
        for item in value.items if isinstance(value, Items) else value.options:
            members += tensors_in(machine, item, depth)
    elif isinstance(value, Ref) and depth < 3 and value.obj.kind in ("list", "dict", "instance"):
        for inner in stored(machine, value.obj):
            members += tensors_in(machine, inner, depth + 1)
    return members


def stored(machine: Machine, obj: Obj) -> list[Value]:
    """Everything that a heap object holds: elements, entries and, for records, attributes."""
    if obj.kind not in ("list", "dict", "instance"):
        return []
    return [value for name, value in machine.entries(obj) if name[0] in "[."]


def owners_in(machine: Machine, values: Iterable[Value], depth: int = 0) -> frozenset[int]:
    """The modules whose parameters are among these values or in the containers that they are."""
    found: frozenset[int] = NO_IDS
    for value in values:
        for option in value.options if isinstance(value, Choice) else (value,):
            if isinstance(option, Params):
                found |= option.owners
            elif isinstance(option, Items):
                found |= owners_in(machine, option.items, depth)
            elif isinstance(option, Ref) and option.obj.kind == "module":
                found |= {option.obj.id}
            elif isinstance(option, Ref) and depth < 3:
                found |= owners_in(machine, stored(machine, option.obj), depth + 1)
    return found


def owned_by(machine: Machine, values: Iterable[Value], depth: int = 0) -> frozenset[int]:
    """The networks and optimizers that code gets at by these values: through containers, through records,
    through a bound method, through one of their attributes or parameters."""
    found: frozenset[int] = NO_IDS
    for option in (option for value in values for option in options_of(value)):
        if isinstance(option, Params):
            found |= option.owners
        elif isinstance(option, Unknown):
            found |= machine.trace.attribute_owners.get(option.origin, NO_IDS)
        elif isinstance(option, Tensor):
            found |= NO_IDS.union(*(machine.trace.attribute_owners.get(n, NO_IDS) for n in option.ids))
        elif isinstance(option, Items):
            found |= owned_by(machine, option.items, depth)
        elif isinstance(option, Method) and depth < 3:
            found |= owned_by(machine, (option.owner,), depth + 1)
        elif isinstance(option, Ref) and option.obj.kind in ("module", "optimizer"):
            found |= {option.obj.id}
        elif isinstance(option, Ref) and depth < 3:
            found |= owned_by(machine, stored(machine, option.obj), depth + 1)
    return found


def refine(machine: Machine, value: Value, name: str) -> Value:
    """An unknown value bound to a telling name becomes an object of the kind that the name suggests, also
    where there may be None instead: `teacher = load() if distill else None`."""
    if isinstance(value, Choice) and Const(None) in value.options and len(value.options) == 2:
        return choice(refine(machine, option, name) for option in value.options)
    if not isinstance(value, Unknown) or name in machine.agent_names or value.hint == "function":
        return value
    kind = "module" if name in machine.module_names else naming.role(name)
    if value.hint == "entry" and kind == "module" and name not in machine.module_names:
        kind = "" if hints.CODES_DATA.search(name) else kind
    if not kind or (value.hint == "data" and kind not in ("module", "optimizer")):
        return value
    obj = machine.obj(kind, None, "guess", value.origin or name, name=name, by_name=True)
    return Ref(obj)


def assigned_values(
    machine: Machine, names: Names, scope: cst.CSTNode
) -> dict[str, list[cst.BaseExpression]]:
    """What the assignments of a function or module, in the file of these names, give to each dotted name."""
    known = machine.assigned.get(id(scope))
    if known is None:
        known = machine.assigned[id(scope)] = {}
        for statement in names.walk(scope):
            if type(statement) is cst.Assign:
                for target in statement.targets:
                    for name, value in given_to(target.target, statement.value):
                        known.setdefault(dotted(name), []).append(value)
    return known


def argument_ids(machine: Machine, args: Args, keywords: Keywords) -> frozenset[int]:
    """The graph identities of all arguments and of what they hold."""
    found: frozenset[int] = NO_IDS
    for value in (*args, *keywords.values()):
        found = united(found, deep_ids(machine, value))
    return found


def weights_in(machine: Machine, values: Iterable[Value], node: cst.CSTNode) -> frozenset[int]:
    """The root of what is computed here from parameters, where some values are such: a leaf of the graph."""
    given = any(isinstance(option, Params) for value in values for option in options_of(value))
    if not given or machine.state is None or machine.state.grad == "off":
        return NO_IDS
    return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf").ids


def argument_kind(machine: Machine, args: Args, keywords: Keywords) -> Kind | None:
    """The highest tensor kind among the arguments and what they hold; None when there is no tensor."""
    kinds: list[Kind] = []
    stack: list[tuple[Value, int]] = [(v, 0) for v in (*args, *keywords.values())]
    while stack:
        value, depth = stack.pop()
        for option in options_of(value):
            kind = kind_of(option)
            if kind is not None:
                kinds.append(kind)
            elif isinstance(option, Params) and machine.state is not None:
                kinds.append(Kind.DETACHED if machine.state.grad == "off" else Kind.GRAPH)
            elif isinstance(option, Ref) and depth < 2:
                stack.extend((v, depth + 1) for v in stored(machine, option.obj))
    return max(kinds) if kinds else None


def has_unknown(args: Args) -> bool:
    """Whether nothing is known of one of the arguments, or there is none."""
    return any(isinstance(o, (Unknown, Method)) for v in args for o in options_of(v)) or not args


def refine_member(machine: Machine, value: Value, container: str, node: cst.CSTNode) -> Value:
    """An unknown element of a container: a module where the file uses elements so, or calls them."""
    if not any(isinstance(o, Unknown) for o in options_of(value)) or container in machine.agent_names:
        return value
    used = container in machine.module_containers
    above = machine.names.parents.get(node)
    called = type(above) is cst.Call and above.func is node and naming.holds_modules(container)
    if not used and not called:
        return value
    obj = machine.obj("module", None, "guess member", machine.code(node), name=container, by_name=True)
    return choice(Ref(obj) if isinstance(option, Unknown) else option for option in options_of(value))
