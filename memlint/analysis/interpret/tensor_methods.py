"""Methods of tensors and of opaque structures of tensors."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.containers import graded, new_container
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.loop_carried import cut
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.traits import member_traits
from memlint.analysis.values import (
    SCALAR,
    Const,
    Items,
    Kind,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    kind_of,
    options_of,
    truth,
)

_INDEX_TO_FLOAT = frozenset("float double half mean div type to bfloat16".split())


def read_as_numbers(machine: Machine, value: Value) -> None:
    """Note that a tensor becomes an array: that raises for one that requires grad, so in code that runs there
    is no graph. What code out of view made of a graph, such as indices of neighbours, knows only that."""
    if not isinstance(value, (Tensor, Unknown)):
        return
    trace, pending = machine.trace, list(value.ids)
    while pending:
        number = pending.pop()
        if number not in trace.graphless:
            trace.graphless.add(number)
            kept = number not in trace.maybe_detached or number in trace.restructured
            pending += trace.parents.get(number, ()) if kept else ()


def read_members_as_numbers(machine: Machine, value: Value) -> None:
    """Note that NumPy goes through a list, `np.mean(counts)`, which raises for members that require grad."""
    content = machine.content(value.obj) if isinstance(value, Ref) else None
    for option in options_of(content) if content is not None else ():
        read_as_numbers(machine, option)


def read_as_report(machine: Machine, owner: Value, args: Args, keywords: Keywords) -> None:
    """Note that a mapping out of view takes in nothing but numbers, `terms.update({"loss": float(loss)})`: it
    is a report of numbers, as the code that made it gave beside a loss."""
    given = list(keywords.values())
    for arg in args:
        inside = machine.entries(arg.obj) if isinstance(arg, Ref) and arg.obj.kind == "dict" else []
        given += [value for name, value in inside if name.startswith("['")]
    if given and all(isinstance(o, (Scalar, Const)) for value in given for o in options_of(value)):
        read_as_numbers(machine, owner)


def tensor_method(
    machine: Machine, owner: Tensor, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """The result of `tensor.name(...)`, which carries a graph when the tensor or an argument does."""
    if name == "numpy":
        read_as_numbers(machine, owner)
        return Scalar("numpy")
    if name in lib.SCALAR_METHODS:
        return SCALAR
    if name in lib.DETACH_METHODS:
        if name == "detach_":
            cut(machine, owner.ids)
        return Tensor(Kind.DETACHED)
    if name in lib.INDEX_METHODS:
        return Tensor(Kind.INDEX)
    if name == "sample":
        # torch.distributions draws under no_grad; what keeps the graph is `rsample`.
        return Tensor(Kind.DETACHED)
    if name in ("requires_grad_", "retain_grad", "register_hook"):
        return _wants_grad(machine, owner, name, args, node)
    if name == "update":
        read_as_report(machine, owner, args, keywords)
    if owner.opaque and name in ("items", "values", "keys", "get"):
        return _opaque_members(machine, owner, name, node)
    if owner.kind is Kind.INDEX and name in _INDEX_TO_FLOAT:
        return Tensor(Kind.DETACHED)
    return _computed(machine, owner, name, args, keywords, node)


def _wants_grad(machine: Machine, owner: Tensor, name: str, args: Args, node: cst.CSTNode) -> Value:
    machine.trace.wants_grad = True
    if name == "requires_grad_" and truth(args[0] if args else Const(True)) is not False:
        return machine.tensor(Kind.GRAPH, node, owner.ids, "leaf")
    return owner


def _computed(
    machine: Machine, owner: Tensor, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """The result of a method that computes: of the highest kind among the tensor and the arguments."""
    kind, ids = owner.kind, owner.ids
    if name in lib.SHAPING_METHODS:
        args, keywords = [], {}
    for arg in (*args, *keywords.values()):
        kind = max(kind, kind_of(arg) or Kind.INDEX)
        ids |= deep_ids(machine, arg)
    vague = name not in lib.DEVICE_MOVES and any(isinstance(o, Unknown) for a in args for o in options_of(a))
    if kind < Kind.MAYBE and vague:
        return machine.unknown(node, ids)
    opaque = owner.opaque and name in ("to", "cpu", "cuda", "clone", "contiguous")
    light, pointwise = name in lib.LIGHT_METHODS, name in lib.ELEMENTWISE
    result = machine.tensor(
        graded(machine, kind), node, ids, name, opaque=opaque, lightweight=light, elementwise=pointwise
    )
    if name in ("to", "cpu", "cuda", "type", "contiguous"):
        result = machine.tensor(kind, node, ids, name, lightweight=True, opaque=opaque)
    if name in lib.PAIR_METHODS and (args or "dim" in keywords or name in ("topk", "sort")):
        return Items((result, Tensor(Kind.INDEX)))
    return result


def _opaque_members(machine: Machine, owner: Tensor, name: str, node: cst.CSTNode) -> Value:
    if name == "keys":
        return SCALAR
    member = machine.tensor(owner.kind, node, owner.ids, "member", lightweight=True, opaque=True)
    member = replace(member, traits=member_traits(owner.traits))
    if name == "items":
        made = new_container(machine, "list", node)
        machine.put(made.obj, Items((SCALAR, member)))
        return made
    return member
