"""Assigning values to names, attributes, subscripts and patterns of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.interpret.accumulate import fills
from memlint.analysis.interpret.activations import note_activation
from memlint.analysis.interpret.attributes import evaluate_parts
from memlint.analysis.interpret.call_trace import trace_environment
from memlint.analysis.interpret.containers import elements, entry, record_as_tuple, record_store
from memlint.analysis.interpret.contents import deep_ids, refine
from memlint.analysis.interpret.loop_carried import rebind
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parameters import set_parameter, take_part
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.interpret.traits import of_member, placed
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge import naming
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Choice,
    Class,
    Const,
    Frame,
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
    join,
    options_of,
    truth,
)
from memlint.syntax.arguments import argument_for
from memlint.syntax.expressions import same
from memlint.syntax.tree import root_name


def bind(machine: Machine, target: cst.BaseExpression, value: Value) -> None:
    """Assign a value to a name, attribute, subscript or pattern of them."""
    # Exact types: `isinstance` is slow on the abstract base classes of libcst.
    if type(target) is cst.Name:
        _bind_name(machine, target, value)
    elif type(target) is cst.Attribute:
        _bind_attribute(machine, target, value)
    elif type(target) is cst.Subscript:
        _bind_item(machine, target, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(machine, target.elements, value)
    elif isinstance(target, cst.StarredElement):
        bind(machine, target.value, value)


def take_for(machine: Machine, target: cst.BaseExpression, value: Value) -> None:
    """Go on with a value that a test has shown: nothing is assigned, so no chain of states ends.

    A name or attribute without a value here is left alone: where the branches meet, it would have this one
    only.
    """
    if not _is_bound(machine, target):
        return
    machine.quiet += 1
    bind(machine, target, value)
    machine.quiet -= 1


def _is_bound(machine: Machine, target: cst.BaseExpression) -> bool:
    if type(target) is cst.Name:
        return machine.read((machine.frame.id, target.value)) is not None
    if type(target) is not cst.Attribute:
        return False
    owners = [option.obj for option in options_of(machine.evaluate(target.value)) if isinstance(option, Ref)]
    return all(machine.read((owner.id, "." + target.attr.value)) is not None for owner in owners)


def _bind_name(machine: Machine, target: cst.Name, value: Value) -> None:
    name = target.value
    frame = machine.frame
    how = frame.outer.get(name)
    if how == "global":
        while frame.lexical is not None:
            frame = frame.lexical
    elif how == "nonlocal":
        outer = frame.lexical
        while outer is not None and machine.read((outer.id, name)) is None:
            outer = outer.lexical
        frame = outer or frame
    rebind(machine, (frame.id, name), refine(machine, value, name))


def _bind_attribute(machine: Machine, target: cst.Attribute, value: Value) -> None:
    owner = machine.evaluate(target.value)
    name = target.attr.value
    for option in options_of(owner):
        if isinstance(option, Ref):
            rebind(machine, (option.obj.id, "." + name), refine(machine, value, name))
            note_activation(machine, option.obj, target, value)
        elif isinstance(option, Params):
            set_parameter(machine, option, name, value, target)
        elif isinstance(option, (Tensor, Unknown, Method)) and name == "requires_grad":
            _wants_grad(machine, value)
        elif isinstance(option, Unknown) and name == "grad":
            set_parameter(machine, Params(frozenset()), name, value, target)
        elif isinstance(option, Class):
            machine.write((machine.number("class", id(option.info)), "." + name), value)
    _give_part(machine, target, value)


def _give_part(machine: Machine, target: cst.Attribute | cst.Subscript, value: Value) -> None:
    """Note the new part of the modules along `net.heads.head = nn.Linear(...)`, `net.classifier[6] = ...`."""
    if not any(isinstance(o, Ref) and o.obj.kind == "module" for o in options_of(value)):
        return
    above: cst.BaseExpression = target
    while isinstance(above, (cst.Attribute, cst.Subscript)):
        above = above.value
        for option in options_of(machine.evaluate(above)):
            if isinstance(option, Ref):
                take_part(machine, option.obj, value)


def _bind_item(machine: Machine, target: cst.Subscript, value: Value) -> None:
    owner = machine.evaluate(target.value)
    index: Value = SCALAR
    for element in target.slice:
        if type(element.slice) is cst.Index:
            index = machine.evaluate(element.slice.value)
        else:
            evaluate_parts(machine, element.slice)
    if fills(machine, target, target.value, owner, value):
        return
    if _takes_in_unseen(machine, target, owner, value):
        machine.write((machine.frame.id, root_name(target)), machine.unknown(target, ids_of(value)))
        return
    if type(target.value) is cst.Name and isinstance(owner, (Tensor, Unknown)):
        key = (machine.frame.id, target.value.value)
        if machine.read(key) is owner:
            # All that showed a graph in what an unseen call gave was this entry.
            cut = isinstance(owner, Unknown) and _is_cut_off(machine, target, value)
            left = replace(owner, ids=NO_IDS) if cut else placed(machine, owner, value)
            machine.write(key, left, keep_birth=True)
    for option in options_of(owner):
        if isinstance(option, Ref) and option.obj.path.endswith(lib.MODULE_CONTAINERS):
            machine.put(option.obj, value)
        if not isinstance(option, Ref) or option.obj.kind not in ("list", "dict"):
            trace_environment(machine, target, option, index, value)
            continue
        if isinstance(index, Const):
            rebind(machine, (option.obj.id, f"[{index.value!r}]"), value)
            continue
        loop = _index_loop(machine, target)
        if loop is not None:
            _keep_entry(machine, target, option.obj, value, loop)
        machine.put(option.obj, value)
    _give_part(machine, target, value)


def _takes_in_unseen(machine: Machine, target: cst.Subscript, owner: Value, value: Value) -> bool:
    """Whether a network writes what parts out of view gave it into a tensor that it has made."""
    within = machine.frame.self_value
    if not isinstance(within, Ref) or within.obj.kind != "module" or not isinstance(value, Unknown):
        return False
    if value.hint or type(target.value) is not cst.Name or not isinstance(owner, Tensor) or owner.opaque:
        return False
    return owner.kind is Kind.DETACHED and machine.read((machine.frame.id, target.value.value)) is owner


def _is_cut_off(machine: Machine, target: cst.Subscript, value: Value) -> bool:
    """Whether an entry is set to its own value without the graph: `out["loss"] = out["loss"].detach()`."""
    statement = machine.names.parents.get(machine.names.parents.get(target) or target)
    if not isinstance(statement, cst.Assign) or deep_ids(machine, value):
        return False
    return any(type(n) is cst.Subscript and same(n, target) for n in machine.walk(statement.value))


def _keep_entry(machine: Machine, target: cst.Subscript, obj: Obj, value: Value, loop: Loop) -> None:
    """Note that `box[key] = v` keeps a value, where the key changes with the iterations of `loop`."""
    fixed = (obj.kind == "list" or _repeats(loop)) and not _names_samples(machine, target, loop)
    fixed = fixed and not _moves_on(machine, target)
    only = loop if fixed else None
    box, above = machine.code(target.value), machine.names.parents.get(target)
    line = machine.names.parents.get(above) if type(above) is cst.AssignTarget else None
    given = line.value if isinstance(line, cst.Assign) else target
    record_store(machine, "store", target, (obj.id, CONTENT), box, value, given, obj=obj, only=only)


def _wants_grad(machine: Machine, value: Value) -> None:
    if truth(value) is not False:
        machine.trace.wants_grad = True


def _repeats(loop: Loop) -> bool:
    """Whether a loop runs through the same keys each time: counters and names, not keys from the data."""
    words = ("range(", "enumerate(", "named_", ".items()", ".keys()", "names")
    return any(word in loop.source for word in words)


def _names_samples(machine: Machine, target: cst.Subscript, loop: Loop) -> bool:
    """Whether the keys are what each batch brings: `for name, row in zip(names, out)`."""
    node = loop.node
    if not isinstance(node, cst.For) or any(word in loop.source for word in _FIELDS):
        return False
    first = node.target.elements[0].value if isinstance(node.target, cst.Tuple) else None
    if first is not None and "enumerate(" in loop.source and _names(machine, target) & _names(machine, first):
        return _is_keyed_by_outer(machine, target, loop, _names(machine, first))
    names, frame = _names(machine, node.iter), loop.frame
    for outer in reversed(machine.loops[: machine.loops.index(loop)]):
        while frame is not outer.frame and frame.caller is not None:
            names, frame = _passed(machine, frame, names), frame.caller
        if isinstance(outer.node, cst.For) and names & _names(machine, outer.node.target):
            return True
    return False


def _is_keyed_by_outer(machine: Machine, target: cst.Subscript, loop: Loop, own: set[str]) -> bool:
    """Whether a counter only chooses among the keys that each batch brings: `table[ids[i]] = row`."""
    keys = {name for element in target.slice for name in _names(machine, element)} - own
    for outer in machine.loops[: machine.loops.index(loop)]:
        if not isinstance(outer.node, cst.For) or outer.frame is not loop.frame or _repeats(outer):
            continue
        if keys & _names(machine, outer.node.target):
            return True
    return False


def _names(machine: Machine, node: cst.CSTNode) -> set[str]:
    return {n.value for n in machine.walk(node) if type(n) is cst.Name}


_FIELDS = ("range(", "named_", ".items()", ".keys()")


def _index_loop(machine: Machine, target: cst.Subscript) -> Loop | None:
    """The running loop with whose iterations the key of `box[key] = v` changes."""
    names = _names(machine, target) - {root_name(target)}
    frame: Frame | None = machine.frame
    for loop in reversed(machine.loops):
        while frame is not None and frame is not loop.frame:
            names, frame = _passed(machine, frame, names), frame.caller
        if type(loop.node) is cst.For:
            changing = _names(machine, loop.node.target)
        else:
            sums = (n.target for n in machine.walk(loop.node) if type(n) is cst.AugAssign)
            changing = {t.value for t in sums if type(t) is cst.Name}
        if names & changing:
            return loop
    return machine.loops[-1] if machine.loops and _moves_on(machine, target) else None


def _passed(machine: Machine, frame: Frame, names: set[str]) -> set[str]:
    """The variables of the caller that a function got its parameters of these names from."""
    if not isinstance(frame.node, cst.FunctionDef) or not isinstance(frame.call, cst.Call):
        return set()
    given = [argument_for(frame.call, frame.node, name) for name in names]
    nodes = (node for value in given if value is not None for node in machine.walk(value))
    return {node.value for node in nodes if type(node) is cst.Name}


def _moves_on(machine: Machine, target: cst.Subscript) -> bool:
    """Whether the function counts up the attribute that is the key: `self.items[self.at] = v` of a ring."""
    index = target.slice[0].slice
    if type(index) is not cst.Index or type(index.value) is not cst.Attribute:
        return False
    counter = index.value
    return any(
        (type(n) is cst.AssignTarget or type(n) is cst.AugAssign) and same(n.target, counter)
        for n in machine.walk(machine.frame.node)
    )


def _unpack(machine: Machine, targets: Sequence[cst.BaseElement], value: Value) -> None:
    value = choice(record_as_tuple(machine, option) for option in options_of(value))
    if isinstance(value, Choice):
        value = _joined(value, len(targets))
    stars = [i for i, e in enumerate(targets) if type(e) is cst.StarredElement]
    if isinstance(value, Items) and len(stars) == 1 and len(value.items) >= len(targets) - 1:
        rest = len(value.items) - len(targets) + 1
        cut = stars[0]
        middle = Items(value.items[cut : cut + rest])
        value = Items((*value.items[:cut], middle, *value.items[cut + rest :]))
    if isinstance(value, Items) and len(value.items) == len(targets):
        for element, member in zip(targets, value.items, strict=True):
            bind(machine, element.value, member)
        return
    if _is_bundle(value, targets):
        # What was called `model` holds the model: its name says nothing of the other members.
        value = Unknown(NO_IDS, machine.number("members", *(id(element) for element in targets)))
    for position, element in enumerate(targets):
        member = _member(machine, value, position, element.value)
        if isinstance(value, (Tensor, Unknown)):
            member = of_member(value, member)
        bind(machine, element.value, member)


def _is_bundle(value: Value, targets: Sequence[cst.BaseElement]) -> bool:
    """Whether what only its name makes a network is a tuple with one: `model, scales = model`."""
    if not isinstance(value, Ref) or value.obj.kind != "module" or not value.obj.by_name:
        return False
    names = {e.value.value for e in targets if isinstance(e.value, cst.Name)}
    return value.obj.name.rpartition(".")[2] in names


def _joined(value: Choice, length: int) -> Value:
    """Tuples of the same length on all paths as one tuple; anything else as it is."""
    fitting = [v for v in value.options if isinstance(v, Items) and len(v.items) == length]
    if not fitting or len(fitting) != len([v for v in value.options if v != NONE]):
        return value
    merged: Value = fitting[0]
    for other in fitting[1:]:
        merged = join(merged, other)
    return merged


def _is_handed_back(machine: Machine, target: cst.BaseExpression) -> bool:
    """Whether a call takes the name that it is unpacked into: `out, state = net(x, state)`."""
    above: cst.CSTNode | None = target
    while above is not None and not isinstance(above, cst.BaseSmallStatement):
        above = machine.names.parents.get(above)
    if not isinstance(above, cst.Assign) or not isinstance(above.value, cst.Call):
        return False
    return any(same(arg.value, target) for arg in above.value.args)


def _member(machine: Machine, value: Value, position: int, target: cst.BaseExpression) -> Value:
    if isinstance(value, (Tensor, Unknown)) and naming.cut_off(machine.code(target)):
        return Tensor(Kind.DETACHED, NO_IDS, opaque=True)
    if isinstance(value, Tensor):
        kind = value.kind
        if kind >= Kind.MAYBE and value.opaque:
            name = target.value if isinstance(target, cst.Name) else ""
            plain = name and naming.plain_name(name) and not _is_handed_back(machine, target)
            kind = Kind.DETACHED if plain else kind
        if kind >= Kind.MAYBE:
            member = machine.tensor(kind, target, value.ids, lightweight=True)
            machine.trace.unpacked |= member.ids
            return member
        return Tensor(kind, NO_IDS, value.opaque)
    if isinstance(value, Unknown):
        unknown = machine.unknown(target, value.ids, hint=value.hint, lightweight=True)
        machine.trace.unpacked |= unknown.ids
        return unknown
    if isinstance(value, Ref) and value.obj.kind == "list":
        return entry(machine, value.obj, Const(position), target)
    return elements(machine, value, target)
