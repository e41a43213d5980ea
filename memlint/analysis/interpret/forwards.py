"""Forward passes of modules and losses, from function summaries computed once for each kind of call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.facts import Criterion, Forward, Loop
from memlint.analysis.interpret.chains import own_parts
from memlint.analysis.interpret.containers import graded, new_container, record_store
from memlint.analysis.interpret.contents import argument_ids, argument_kind, deep_ids, has_unknown, tensors_in
from memlint.analysis.interpret.forward_hooks import run_hooks
from memlint.analysis.interpret.loop_carried import (
    carrying_loops,
    changed,
    left_over,
    renew_state,
    state_in,
    state_slots,
)
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Effect, Keywords
from memlint.analysis.interpret.precision import precision_of
from memlint.analysis.interpret.state import CONTENT, Key, State
from memlint.analysis.interpret.weights import is_frozen, is_weightless
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.traits import Trait
from memlint.analysis.values import (
    NO_IDS,
    SCALAR,
    Choice,
    ClassInfo,
    Const,
    Frame,
    Function,
    Items,
    Kind,
    Method,
    Obj,
    Ref,
    Tensor,
    Unknown,
    Value,
    choice,
    ids_of,
    kind_of,
    options_of,
)


def loss_call(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The result of calling a loss module: of the kind of its arguments."""
    if func.obj.cls is not None:
        found = func.obj.cls.find("forward") or func.obj.cls.find("__call__")
        if found is not None:
            return _summarised(machine, func, found, args, keywords, node)
    kind = argument_kind(machine, args, keywords)
    ids = argument_ids(machine, args, keywords)
    if kind is None or kind < Kind.MAYBE:
        return machine.unknown(node, ids, lightweight=True) if has_unknown(args) else Tensor(Kind.DETACHED)
    result = machine.tensor(graded(machine, kind), node, ids, "loss")
    note_criterion(machine, func.obj.path, result, args, keywords, node)
    return result


def note_criterion(
    machine: Machine, path: str, result: Value, args: Args, keywords: Keywords, node: cst.CSTNode
) -> None:
    """Write down that a loss function was called."""
    first = args[0] if args else keywords.get("input", SCALAR)
    event = Criterion(
        node=node, frame=machine.frame, loops=machine.loops, path=path,
        ids=deep_ids(machine, result), inputs=deep_ids(machine, first),
        given=argument_ids(machine, args, keywords),
    )  # fmt: skip
    machine.record(machine.trace.criteria, event)


def forward_call(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The result of calling a module; the call is written down as a forward pass."""
    state = machine.state
    assert state is not None
    obj = func.obj
    frozen = is_frozen(machine, obj)
    kind = argument_kind(machine, args, keywords)
    found = obj.cls.find("forward") if obj.cls is not None else None
    given, made, left_there = argument_ids(machine, args, keywords), NO_IDS, NO_IDS
    slots: dict[Key, cst.CSTNode] = {}
    left = left_over(machine, given)
    if found is not None:
        key = _summary(machine, func, found, args, keywords, node)
        slots = machine.summary_state.get(key, slots)
        state_ids = state_in(machine, slots)
        left = left_over(machine, given | state_ids)
        learns = not is_weightless(machine, obj)
        result = _instance(machine, machine.summaries[key], node, given, ("out",), learns)
        if not learns and isinstance(result, Tensor) and (kind is None or kind < Kind.MAYBE):
            # What looked like a part that learns, `self.parts[0]`, is none: no part is.
            result = machine.unknown(node, given)
        given |= state_ids
        made = renew_state(machine, slots, node, given)
        left_there = _leave_again(machine, key, result, node, given)
        stored = [u for u in machine.summary_effects.get(key, ()) if (u.obj.id, u.joined) not in slots]
        _store_again(machine, stored, result, _on_device(machine, args, keywords))
    elif frozen and (kind is None or kind < Kind.MAYBE):
        result = Tensor(Kind.DETACHED, NO_IDS, opaque=True)
    else:
        result = _module_result(machine, obj, args, keywords, node)
        _run_parts(machine, obj, args, result, node)
    if frozen and (kind is None or kind < Kind.MAYBE):
        result = Tensor(Kind.DETACHED, NO_IDS, opaque=True)
    trains = run_hooks(machine, func, args, result, node)
    event = _noted(machine, func, found, result, node, trains)
    event.ids |= left_there
    over = carrying_loops(machine, left, deep_ids(machine, result) | made)
    _note_carried(machine, event, over, given, slots)
    return result


def _noted(
    machine: Machine,
    func: Ref,
    found: tuple[cst.FunctionDef, Frame] | None,
    result: Value,
    node: cst.CSTNode,
    hooks_train: bool,
) -> Forward:
    """The event of a forward pass, written down unless the run is quiet; its hooks may run backward."""
    state, obj = machine.state, func.obj
    assert state is not None
    # The embedded and inference-only modules record nothing that the script could free.
    trains_itself = obj.cls is not None and found is not None and _trains_itself(machine, obj.cls, *found)
    builds = _carries(machine, result) and not lib.INFERENCE_ONLY_MODELS.match(obj.path)
    recorded = builds and not (trains_itself or hooks_train)
    event = Forward(
        node=node, frame=machine.frame, loops=machine.loops, module=func, grad=state.grad,
        ids=deep_ids(machine, result), evaluating=obj.id in state.evals or _somebody_evaluates(machine),
        own_eval=obj.id in state.evals or machine.read((obj.id, "#eval")) == Const(True), recorded=recorded,
        code=machine.code(node.func) if isinstance(node, cst.Call) else "",
        inner=machine.trace.inner_casts.get(id(found[0]), frozenset()) if found is not None else frozenset(),
    )  # fmt: skip
    first = machine.record(machine.trace.forwards, event)
    if first is not None and first.module != func:
        # One of several networks, by the branch that made them: which one it is, is not known.
        first.module, first.ids = choice((first.module, func)), first.ids | event.ids
        first.recorded = first.recorded or recorded
    event = first or event
    if not machine.quiet and precision_of(machine, obj.id):
        machine.trace.half_outputs.update(dict.fromkeys(event.ids, obj.id))
    return event


def _run_parts(machine: Machine, chain: Obj, args: Args, result: Value, node: cst.CSTNode) -> None:
    """Run the modules of a chain for what they do besides their result; all but the first get a graph."""
    if not isinstance(result, Tensor) or result.kind is not Kind.GRAPH:
        return
    for first, part in own_parts(machine, chain):
        info = part.obj.cls
        found = info.find("forward") if info is not None else None
        if found is not None:
            given: Args = args if first and chain.path.endswith(".Sequential") else [result]
            key = _summary(machine, part, found, given, {}, node)
            stored = machine.summary_effects.get(key, ())
            _store_again(machine, stored, result, _on_device(machine, args, {}))


def _trains_itself(machine: Machine, info: ClassInfo, forward: cst.FunctionDef, frame: Frame) -> bool:
    """Whether a forward pass runs backward by itself; those of other files are not run, but read."""
    if not frame.cross_module:
        return id(forward) in machine.trace.self_training_forwards
    names, pending = {"forward"}, ["forward"]
    while pending:
        method = info.methods.get(pending.pop())
        nodes = (frame.names or machine.home).walk(method) if method is not None else ()
        found = {n.attr.value for n in nodes if type(n) is cst.Attribute} - names
        names |= found
        pending += found
    return "backward" in names


def _somebody_evaluates(machine: Machine) -> bool:
    """Whether some module was put into evaluation mode on every way to here (the wrapper or a parent)."""
    assert machine.state is not None
    return bool(machine.state.evals)


def _carries(machine: Machine, value: Value) -> bool:
    kind = argument_kind(machine, [value], {})
    return kind is not None and kind >= Kind.MAYBE


def _module_result(machine: Machine, obj: Obj, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    ids = argument_ids(machine, args, keywords)
    # A class of unknown origin with this argument of old takes care of the graph itself.
    volatile = any(isinstance(a, Unknown) and a.hint == "volatile" for a in args)
    unsure = volatile or obj.path in lib.MAY_BE_FROZEN
    kind = graded(machine, Kind.MAYBE if unsure else Kind.GRAPH)
    given = argument_kind(machine, args, keywords)
    if (given is None or given < Kind.MAYBE) and is_weightless(machine, obj):
        return (
            machine.unknown(node, ids) if has_unknown([*args, *keywords.values()]) else Tensor(Kind.DETACHED)
        )
    result = machine.tensor(kind, node, ids, "out", opaque=not obj.path.startswith("torch.nn."))
    if lib.RECURRENT.match(obj.path) and not obj.path.endswith("Cell"):
        hidden = machine.tensor(kind, node, ids, "hidden", opaque=True)
        return Items((result, hidden))
    return result


def _summarised(
    machine: Machine,
    func: Ref,
    found: tuple[cst.FunctionDef, Frame],
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
) -> Value:
    """The result of a pure-looking method, from a function summary computed once for each kind of call."""
    key = _summary(machine, func, found, args, keywords, node)
    ids = argument_ids(machine, args, keywords)
    return _instance(machine, machine.summaries[key], node, ids, ("out",), False)


def _summary(
    machine: Machine,
    func: Ref,
    found: tuple[cst.FunctionDef, Frame],
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
) -> tuple[object, ...]:
    """Make sure that there is a function summary for this kind of call; gives its key."""
    assert machine.state is not None
    definition, frame = found
    signature = tuple(_signature(v) for v in args) + tuple(
        (k, _signature(v)) for k, v in sorted(keywords.items())
    )
    key = (id(definition), func.obj.id, machine.state.grad, signature)
    if key not in machine.summaries:
        machine.summaries[key] = SCALAR
        machine.quiet += 1
        first = machine.clock + 1
        before, met = machine.state.copy(), machine.met_casts
        outer, machine.effects = machine.effects, []
        machine.met_casts = set()
        method = machine.decorate(Function(definition, frame, func), definition)
        summary = machine.call(method, args, keywords, node)
        machine.summary_effects[key] = [
            u for u in machine.effects if u.everywhere or u.joined or (u.obj.id, "#born") in before.vars
        ]
        left = _left_in_attributes(machine, before)
        kept = machine.summary_state[key] = _state_kept(machine, before, first, method, args, keywords, node)
        aside = kept.keys() | {(u.obj.id, u.joined) for u in machine.effects}
        machine.summary_left[key] = {slot: value for slot, value in left.items() if slot not in aside}
        machine.quiet -= 1
        machine.trace.inner_casts[id(definition)] = frozenset(machine.met_casts)
        machine.met_casts, machine.effects = met, outer
        if machine.quiet_backward:
            machine.trace.self_training_forwards.add(id(definition))
            machine.quiet_backward = False
        summary = _frozen_copy(machine, summary)
        machine.state = before
        machine.summaries[key] = summary
    machine.met_casts |= machine.trace.inner_casts.get(id(definition), frozenset())
    return key


def _state_kept(
    machine: Machine,
    before: State,
    first: int,
    method: Value,
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
) -> dict[Key, cst.CSTNode]:
    """The attributes through which one call hands a graph to the next, with the call that takes it up."""
    if machine.state is None or not changed(machine, before):
        return {}
    outer, machine.carried_state = machine.carried_state, {}
    machine.heads.append((None, machine.clock + 1, first))
    held = {(u.obj.id, u.joined): u for u in machine.effects if u.joined}
    before_ids = {key: state_in(machine, {key: u.node}) for key, u in held.items()}
    result = machine.call(method, args, keywords, node)
    machine.heads.pop()
    found, machine.carried_state = machine.carried_state, outer
    made = machine.trace.ancestors(deep_ids(machine, result)) if held else set[int]()
    found.update({key: u.node for key, u in held.items() if made & before_ids[key]})
    return found


def _left_in_attributes(machine: Machine, before: State) -> dict[Key, Value]:
    """The attributes to which a call has given a tensor with a graph, or a dictionary or list of such, of
    objects that were there before."""
    assert machine.state is not None
    slots = machine.state.vars.items()
    new = {key: slot[0] for key, slot in slots if key[1][0] == "." and before.vars.get(key) is not slot}
    made = {key: value for key, value in new.items() if _is_of_graphs(machine, value)}
    there = {key[0] for key in before.vars} if made else set()
    boxes = {key: value.obj.id for key, value in made.items() if isinstance(value, Ref)}
    own = (key for key in made if key[0] in there and boxes.get(key, 0) not in there)
    return {key: _frozen_copy(machine, made[key]) for key in own}


def _is_of_graphs(machine: Machine, value: Value) -> bool:
    """Whether a value is a tensor with a graph, or a dictionary or list in which there is one."""
    if isinstance(value, Ref) and value.obj.kind in ("list", "dict"):
        return any(_is_of_graphs(machine, v) for _, v in machine.entries(value.obj) if not isinstance(v, Ref))
    return isinstance(value, Tensor) and value.kind is Kind.GRAPH


def _leave_again(
    machine: Machine, key: tuple[object, ...], result: Value, node: cst.CSTNode, given: frozenset[int]
) -> frozenset[int]:
    """Give the attributes that a forward pass sets what this one leaves there; gives the identities of it."""
    ids: frozenset[int] = NO_IDS
    for slot, value in machine.summary_left.get(key, {}).items():
        made = _left(machine, value, (result, machine.summaries[key]), node, given, ("left", *slot))
        machine.write(slot, made)
        ids |= deep_ids(machine, made)
    return ids


def _left(
    machine: Machine,
    value: Value,
    returned: tuple[Value, Value],
    node: cst.CSTNode,
    given: frozenset[int],
    path: tuple[object, ...],
) -> Value:
    """What a forward pass leaves in an attribute, beside what it has `returned` and the summary of that."""
    kind = value.items[0] if isinstance(value, Items) and value.items else None
    if isinstance(value, Items) and isinstance(kind, Const) and kind.value in ("list", "dict"):
        box = new_container(machine, str(kind.value), node, *path)
        for entry in value.items[1:]:
            assert isinstance(entry, Items)
            assert isinstance(entry.items[0], Const)
            name = str(entry.items[0].value)
            made = _left(machine, entry.items[1], returned, node, given, (*path, name))
            machine.write((box.obj.id, name), made)
        return box
    result, summary = returned
    ids = ids_of(value)
    if isinstance(result, Tensor) and isinstance(value, Tensor) and ids and ids == ids_of(summary):
        return result
    made = _instance(machine, value, node, given, path, False)
    _relate(machine, (result, made), (summary, value))
    trace = machine.trace
    shared = trace.ancestors(ids) & trace.ancestors(deep_ids(machine, summary))
    if shared - trace.ancestors(given) - trace.graph_leaves:
        # The backward of the result frees the trunk of both: what is left is little.
        trace.lightweight |= ids_of(made)
    return made


def _store_again(machine: Machine, stored: Iterable[Effect], result: Value, moved: bool) -> None:
    """Put what a forward pass stores into its containers: what has a graph lives and dies with the result's.

    What has none is on the accelerator where the input was `moved` there.
    """
    ids = deep_ids(machine, result)
    for u in stored:
        if not (moved if u.detached else ids):
            continue
        value = Tensor(Kind.DETACHED, traits=Trait.GPU) if u.detached else Tensor(Kind.GRAPH, ids)
        if u.joined:
            _join_again(machine, u, value)
            continue
        key = (u.obj.id, CONTENT)
        record_store(machine, "store", u.node, key, u.target, value, u.value_node, obj=u.obj, within=True)
        machine.put(u.obj, value)


def _join_again(machine: Machine, effect: Effect, value: Tensor) -> None:
    """Join a tensor in an attribute of a module with what a forward pass puts into it."""
    key = (effect.obj.id, effect.joined)
    old = machine.read(key)
    ids = value.ids | (deep_ids(machine, old) if old is not None else NO_IDS)
    product = machine.fresh(effect.node, ids, "acc", lightweight=True)
    record_store(
        machine, "store", effect.node, key, effect.target, value, effect.value_node,
        product=product, within=True, limit=-1,
    )  # fmt: skip
    machine.write(key, Tensor(value.kind, frozenset((product,))), keep_birth=True)


def _on_device(machine: Machine, args: Args, keywords: Keywords) -> bool:
    """Whether an argument was moved to an accelerator."""
    given = (tensor for value in (*args, *keywords.values()) for tensor in tensors_in(machine, value))
    return any(tensor.traits & Trait.GPU for tensor in given)


def _note_carried(
    machine: Machine,
    event: Forward,
    over: list[Loop | None],
    given: frozenset[int],
    slots: dict[Key, cst.CSTNode],
) -> None:
    """Note over which loops a forward pass continues what it gave before."""
    for loop in over:
        if loop is not None:
            event.loop_carried.add(loop)
            event.state |= given
            event.inside = next(iter(slots.values()), None)
            continue
        for key in state_slots(machine, given):
            machine.carried_state[key] = slots.get(key, event.node)


def _signature(value: Value) -> object:
    if isinstance(value, Const):
        return repr(value)
    if isinstance(value, Ref):
        return value.obj.id
    return (type(value).__name__, kind_of(value))


def _frozen_copy(machine: Machine, value: Value, above: frozenset[int] = NO_IDS) -> Value:
    """A function summary free of heap references: dicts and lists become their members' values.

    `above` are the objects that it is being put into: one that holds itself is not looked into again.
    """
    if isinstance(value, Ref) and value.obj.kind in ("list", "dict", "instance"):
        if value.obj.id in above:
            return Unknown()
        above |= {value.obj.id}
        members = (
            Items((Const(name), _frozen_copy(machine, member, above)))
            for name, member in machine.entries(value.obj)
            if name[0] in "[."
        )
        return Items((Const(value.obj.kind), *members))
    if isinstance(value, Items):
        return Items(tuple(_frozen_copy(machine, v, above) for v in value.items))
    if isinstance(value, Choice):
        return choice(_frozen_copy(machine, v, above) for v in value.options)
    return value


def _relate(machine: Machine, members: Sequence[Value], summaries: Sequence[Value]) -> None:
    """Note which results of one forward pass others are computed from: `return z, self.decode(z)`."""
    trace = machine.trace
    pairs = [(m, s) for m, s in zip(members, summaries, strict=True) if isinstance(s, Tensor) and s.ids]
    for made, summary in pairs if len(pairs) > 1 else ():
        behind = trace.ancestors(summary.ids) - summary.ids
        from_these = [ids_of(m) for m, other in pairs if other.ids <= behind]
        for number in ids_of(made) if from_these else ():
            trace.parents[number] = trace.parents.get(number, NO_IDS).union(*from_these)


def _instance(
    machine: Machine,
    summary: Value,
    node: cst.CSTNode,
    ids: frozenset[int],
    path: tuple[object, ...],
    strict: bool,
) -> Value:
    if isinstance(summary, Tensor):
        if summary.kind >= Kind.MAYBE:
            result = machine.tensor(summary.kind, node, ids, *path, opaque=summary.opaque)
            return replace(result, traits=summary.traits & Trait.SCALAR)
        return replace(summary, traits=summary.traits & Trait.SCALAR, parts=NO_IDS)
    if isinstance(summary, (Unknown, Method)):
        if strict and not ids_of(summary) & machine.inferred:
            return machine.tensor(graded(machine, Kind.GRAPH), node, ids, *path, opaque=True)
        return machine.unknown(node, ids)
    if isinstance(summary, Items):
        first = summary.items[0] if summary.items else None
        if isinstance(first, Const) and first.value in ("list", "dict", "instance"):
            made = new_container(machine, str(first.value), node, *path)
            for entry in summary.items[1:]:
                assert isinstance(entry, Items)
                name = entry.items[0]
                assert isinstance(name, Const)
                machine.write(
                    (made.obj.id, str(name.value)),
                    _instance(machine, entry.items[1], node, ids, (*path, name.value), strict),
                )
            return made
        members = [_instance(machine, v, node, ids, (*path, i), strict) for i, v in enumerate(summary.items)]
        _relate(machine, members, summary.items)
        return Items(tuple(members))
    if len(options_of(summary)) > 1:
        return choice(
            _instance(machine, v, node, ids, (*path, "or", i), strict)
            for i, v in enumerate(options_of(summary))
        )
    return summary
