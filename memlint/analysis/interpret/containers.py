"""Containers of the abstract heap: making, reading, iterating, and noting what they keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.facts import Draw, Loop, Store
from memlint.analysis.interpret.closures import with_captured
from memlint.analysis.interpret.contents import assigned_values, content_id, graph_members, tensors_in
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Effect, Keywords
from memlint.analysis.interpret.state import State
from memlint.analysis.interpret.traits import of_element
from memlint.analysis.knowledge import naming
from memlint.analysis.traits import Trait, member_traits
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Choice,
    Class,
    Const,
    External,
    Function,
    Items,
    Kind,
    Obj,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    ids_of,
    iterated,
    join,
    united,
)
from memlint.syntax.tree import last_name, words_in


def item(machine: Machine, owner: Value, index: Value, node: cst.CSTNode, *, sliced: bool = False) -> Value:
    """The value of `owner[index]`."""
    owner = record_as_tuple(machine, owner)
    if isinstance(owner, Items):
        if (
            isinstance(index, Const)
            and isinstance(index.value, int)
            and -len(owner.items) <= index.value < len(owner.items)
        ):
            return owner.items[index.value]
        return owner if sliced else choice(owner.items) if owner.items else SCALAR
    if isinstance(owner, Ref) and owner.obj.kind in ("list", "dict"):
        if sliced:
            return owner
        return entry(machine, owner.obj, index, node)
    if isinstance(owner, Tensor):
        kind = owner.kind if sliced else _member_kind(owner, index, node)
        return (
            machine.tensor(kind, node, owner.ids, lightweight=True)
            if kind >= Kind.MAYBE
            else Tensor(kind, NO_IDS, owner.opaque)
        )
    if isinstance(owner, Unknown):
        return machine.unknown(node, owner.ids, lightweight=True, hint=owner.hint)
    if isinstance(owner, Ref) and owner.obj.kind == "module":
        layer = _layer(owner.obj, index)
        return layer if layer is not None and not sliced else owner
    if isinstance(owner, Params):
        return Params(owner.owners, single=not sliced, subset=True)
    if isinstance(owner, Ref) and owner.obj.kind in ("loader", "optimizer"):
        # A data set takes samples from what only its name makes a loader: `self.text_loader[index]`.
        sample = owner.obj.by_name and machine.frame.name == "__getitem__"
        return machine.unknown(node, hint="data") if sample else owner
    if isinstance(owner, (Scalar, Const)):
        return SCALAR
    return machine.unknown(node)


def _layer(chain: Obj, index: Value) -> Ref | None:
    """The layer at a literal index of `nn.Sequential(...)`, where each has an argument of its own."""
    number = index.value if isinstance(index, Const) else None
    made = chain.node if chain.path.endswith(".Sequential") else None
    if not isinstance(number, int) or not isinstance(made, cst.Call) or any(arg.star for arg in made.args):
        return None
    layer = chain.args.get(str(number % max(len(made.args), 1)))
    return layer if isinstance(layer, Ref) and layer.obj.kind == "module" else None


def _member_kind(owner: Tensor, index: Value, node: cst.CSTNode) -> Kind:
    """The kind of a member of a tensor or of an opaque structure of tensors."""
    if owner.opaque and owner.kind is Kind.GRAPH:
        name = index.value if isinstance(index, Const) else None
        if isinstance(name, str):
            return Kind.DETACHED if naming.plain_name(name) else Kind.GRAPH
        return Kind.GRAPH if isinstance(name, int) or _is_of_rows(index, node) else Kind.MAYBE
    return owner.kind


def _is_of_rows(index: Value, node: cst.CSTNode) -> bool:
    """Whether an index picks rows of a tensor, as only a tensor has them: `out[idx_train]`, `out[g.mask]`."""
    if isinstance(index, Tensor):
        return True
    part = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    return isinstance(part, cst.Index) and naming.picks_rows(last_name(part.value))


def entry(machine: Machine, obj: Obj, index: Value, node: cst.CSTNode) -> Value:
    """The value of `obj[index]` in a list or dict, made by its default factory where that is known."""
    if isinstance(index, Const):
        value = machine.read((obj.id, f"[{index.value!r}]"))
        if value is not None:
            return value
    rest = machine.content(obj)
    if rest is not None:
        return taken(machine, obj, rest)
    default = obj.args.get("default_factory")
    if isinstance(default, External) and default.path in ("builtins.list", "builtins.dict"):
        inner = machine.obj(default.path.rpartition(".")[2], obj.node, "default", obj.id)
        assert machine.state is not None
        machine.state.put((inner.id, "#born"), machine.state.vars.get((obj.id, "#born"), (NONE, ())))
        machine.put(obj, Ref(inner))
        return Ref(inner)
    if isinstance(default, (Class, Function)):
        made = machine.call(default, [], {}, node)
        if isinstance(made, Ref):
            as_old_as(machine, made.obj, obj)
        machine.put(obj, made)
        return made
    entries = [v for name, v in machine.entries(obj) if name.startswith("[")]
    return taken(machine, obj, choice(entries)) if entries else machine.unknown(node)


def as_old_as(machine: Machine, obj: Obj, older: Obj) -> None:
    """What a container takes in for good lives as long as the container."""
    assert machine.state is not None
    born = machine.state.vars.get((older.id, "#born"), (NONE, ()))[1]
    for name, value in machine.entries(obj):
        machine.state.put((obj.id, name), (value, born))
    machine.state.put((obj.id, "#born"), (NONE, born))


def taken(machine: Machine, obj: Obj, value: Value) -> Value:
    """A value read out of a container: a backward from it shows that the container is there for it."""
    if isinstance(value, (Items, Choice)):
        members = value.items if isinstance(value, Items) else value.options
        marked = tuple(taken(machine, obj, v) for v in members)
        return Items(marked) if isinstance(value, Items) else choice(marked)
    if isinstance(value, Tensor) and value.ids:
        return replace(value, ids=frozenset((content_id(machine, obj, value.ids),)))
    if isinstance(value, Unknown) and value.ids:
        return replace(value, ids=frozenset((content_id(machine, obj, value.ids),)))
    return value


def graded(machine: Machine, kind: Kind) -> Kind:
    """The kind of a result computed now: no graph is built where grad mode is off."""
    if kind >= Kind.MAYBE and machine.state is not None:
        if machine.state.grad == "off":
            return Kind.DETACHED
        if machine.state.grad == "maybe":
            return Kind.MAYBE
    return kind


def new_list(machine: Machine, node: cst.CSTNode | None, *tag: object) -> Ref:
    """A new empty list made by `node`, as young as the present iteration."""
    return new_container(machine, "list", node, *tag)


def unrun_constructor(machine: Machine, constructor: Function, args: Args, keywords: Keywords) -> None:
    """Give an object whose constructor is not run the empty lists and dicts that it begins with, and the
    arguments that the constructor stores as they are."""
    names, owner, node = constructor.frame.names, constructor.bound, constructor.node
    is_constructor = isinstance(node, cst.FunctionDef) and node.name.value == "__init__"
    if names is None or not isinstance(owner, Ref) or not is_constructor or machine.state is None:
        return
    params = [*node.params.posonly_params, *node.params.params][1:]
    given = {p.name.value: v for p, v in zip(params, args, strict=False)} | keywords
    for target, values in assigned_values(machine, names, node).items():
        if not target.startswith("self.") or len(values) != 1:
            continue
        value, key = values[0], (owner.obj.id, target.removeprefix("self"))
        if isinstance(value, cst.Name) and value.value in given:
            machine.write(key, given[value.value])
        elif isinstance(value, (cst.List, cst.Dict)) and not value.elements:
            kind = "list" if isinstance(value, cst.List) else "dict"
            machine.write(key, new_container(machine, kind, value, owner.obj.id))


def new_container(machine: Machine, kind: str, node: cst.CSTNode | None, *tag: object) -> Ref:
    """A new empty list, dict or record made by `node`, as young as the present iteration."""
    obj = machine.obj(kind, node, *tag)
    for name, _ in machine.entries(obj):
        if machine.state is not None and name.startswith("["):
            machine.state.drop((obj.id, name))
    machine.write((obj.id, "#born"), NONE)
    return Ref(obj)


def record_as_tuple(machine: Machine, value: Value) -> Value:
    """The fields of an object of a named tuple in their order; any other value as it is."""
    if not isinstance(value, Ref) or value.obj.kind != "instance":
        return value
    made, cls = value.obj.args.get("#record"), value.obj.cls
    if isinstance(made, External):
        names = made.path.partition(":")[2].split(",")
    elif cls is not None and "typing.NamedTuple" in cls.ancestry():
        names = list(cls.fields)
    else:
        return value
    fields = [machine.read((value.obj.id, "." + name)) for name in names]
    return Items(tuple(SCALAR if field is None else field for field in fields))


def elements(machine: Machine, value: Value, node: cst.CSTNode) -> Value:
    """What iterating over a value gives each time."""
    value = record_as_tuple(machine, value)
    if isinstance(value, Choice):
        # None cannot be iterated over: such code runs after a test for it.
        return choice(elements(machine, v, node) for v in value.options if v != NONE)
    if isinstance(value, Items):
        return choice(value.items) if value.items else SCALAR
    if isinstance(value, Ref):
        return _object_elements(machine, value, node)
    if isinstance(value, Tensor):
        member = machine.tensor(value.kind, node, value.ids, "element", lightweight=True, opaque=value.opaque)
        return of_element(machine, value, member, node)
    if isinstance(value, Params):
        return Params(value.owners, single=True, subset=value.subset)
    if isinstance(value, (Const, Scalar)):
        return SCALAR
    if isinstance(value, Unknown):
        unknown = machine.unknown(node, value.ids, hint="data", lightweight=True)
        return replace(unknown, traits=member_traits(value.traits))
    return machine.unknown(node, hint="data")


def _object_elements(machine: Machine, value: Ref, node: cst.CSTNode) -> Value:
    obj = value.obj
    if obj.kind == "dict":
        return SCALAR
    if obj.kind == "list":
        inner = [v for name, v in machine.entries(obj) if name.startswith("[")]
        return taken(machine, obj, choice(inner)) if inner else SCALAR
    if obj.kind in ("loader", "dataset"):
        moved = Trait.GPU if machine.read((obj.id, "#device")) is not None else Trait.NONE
        return Tensor(Kind.DETACHED, NO_IDS, opaque=True, traits=Trait.BATCH | moved)
    if obj.kind == "module":
        return value
    if obj.cls is not None and (found := obj.cls.find("__iter__")) is not None:
        produced = machine.invoke(Function(found[0], found[1], value), [], {}, node)
        return elements(machine, produced, node) if produced != value else machine.unknown(node, hint="data")
    return machine.unknown(node, hint="data")


def note_iteration(machine: Machine, value: Value, loop: Loop) -> None:
    """Remember which loops iterate over which loaders (through enumerate, zip, iter and the like)."""
    for obj in iterated(value):
        machine.trace.iterated.setdefault(obj.id, set()).add(loop)


def note_draw(machine: Machine, how: str, value: Value, node: cst.CSTNode) -> None:
    """Remember that a new iterator was made of a value, or that an item was taken from one."""
    event = Draw(node=node, frame=machine.frame, loops=machine.loops, how=how, value=value)
    machine.record(machine.trace.draws, event)


def record_store(
    machine: Machine,
    how: str,
    node: cst.CSTNode,
    key: tuple[int, str],
    target: str | cst.CSTNode,
    value: Value,
    value_node: cst.CSTNode,
    *,
    product: int = 0,
    obj: Obj | None = None,
    only: Loop | None = None,
    within: bool = False,
    limit: int | None = None,
) -> None:
    """Note that a value was added to something that may outlive the iteration; `limit` is how many elements
    it has at most where no object says so. `target` is the source of what it was added to, or the expression
    itself where that makes what it fills, as a comprehension does.
    """
    state = machine.state
    if state is None:
        return
    value = with_captured(machine, value)
    members = graph_members(machine, value)
    if not members and not tensors_in(machine, value):
        return
    if machine.quiet:
        if not isinstance(target, str):
            return  # what is new in each call is no effect of it
        kept = members or any(map(_stays_on_device, tensors_in(machine, value)))
        if kept and how == "store" and only is None and obj is not None:
            everywhere = _is_global(machine, target)
            if everywhere or target.startswith("self."):
                effect = Effect(node, target, value_node, obj, everywhere, detached=not members)
                machine.effects.append(effect)
        elif how == "store" and members and product and target.startswith("self."):
            owner = machine.trace.objects.get(key[0])
            if owner is not None:
                machine.effects.append(Effect(node, target, value_node, owner, joined=key[1]))
        return
    event = Store(
        node=node, frame=machine.frame, loops=machine.loops, how=how, key=key,
        target=target if isinstance(target, str) else machine.code(target), value=value,
        value_node=value_node, ids=_numbers(value, members), product=product, grad=state.grad,
        bounded=obj.bounded if obj is not None else limit, only=only, within=within,
    )  # fmt: skip
    _write_down(machine, state, event)


def _numbers(value: Value, members: Sequence[tuple[int, Kind | None]]) -> frozenset[int]:
    """The identities of members; those of the value itself where it has no others."""
    numbers, own = frozenset(n for n, _ in members), ids_of(value)
    return own if own == numbers else numbers


def _stays_on_device(value: Tensor | Unknown) -> bool:
    """Whether a value is a tensor of many elements without a graph that nothing moved to the host."""
    few = Trait.CPU | Trait.SCALAR | Trait.FEW
    return isinstance(value, Tensor) and value.kind is Kind.DETACHED and not value.traits & few


def _write_down(machine: Machine, state: State, event: Store) -> None:
    """Add what is kept to the trace: a place that keeps other values in a later pass keeps all of them."""
    number = (id(event.node), machine.frame.id, *(loop.id for loop in machine.loops), event.key[0])
    if not machine.loops:
        machine.trace.single_stores.setdefault(number, event)
        return
    known = machine.trace.stores.setdefault(number, event)
    if known is event:
        for loop in machine.loops:
            machine.stores_in.setdefault(loop, []).append(number)
    known.ids = united(known.ids, event.ids)
    known.value = join(known.value, event.value)
    slot = state.vars.get(event.key) or state.vars.get((event.key[0], "#born"))
    known.fresh = slot[1] if slot is not None else ()
    state.pending |= {number}


def _is_global(machine: Machine, target: str) -> bool:
    """Whether a container is reached through a name of the top level that the running function has not."""
    name, frame = words_in(target)[0] if words_in(target) else "", machine.frame
    if name == "self" or machine.read((frame.id, name)) is not None:
        return False
    return machine.read((frame.root().id, name)) is not None
