"""What functions of torch and of libraries around it give that are more than a new tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.backwards import backward
from memlint.analysis.interpret.containers import new_list
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.optimizer_calls import retains
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import set_default_dtype
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    Items,
    Kind,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    kind_of,
    options_of,
    truth,
)


def autograd_grad_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("outputs", SCALAR)
    create = truth(keywords.get("create_graph", Const(False))) is not False
    retain = create or truth(keywords.get("retain_graph", Const(False))) is not False
    machine.trace.wants_grad = True
    backward(machine, node, roots, retains=retain, fills=False, options=keywords)
    if create:
        return machine.tensor(Kind.GRAPH, node, deep_ids(machine, roots), "grad", opaque=True)
    return Tensor(Kind.DETACHED, NO_IDS, opaque=True)


def autograd_backward_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("tensors", SCALAR)
    backward(machine, node, roots, retains=retains(keywords), fills=True, options=keywords)
    return NONE


def checkpoint_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return machine.unknown(node)
    if machine.state is not None and machine.state.grad == "on":
        inputs = [kind_of(v) for v in args[1:]]
        worst = max((Kind.MAYBE if kind is None else kind for kind in inputs), default=Kind.MAYBE)
        machine.trace.checkpointed[id(node)] = max(worst, machine.trace.checkpointed.get(id(node), worst))
    rest = {k: v for k, v in keywords.items() if k not in ("use_reentrant", "preserve_rng_state")}
    return choice(machine.call(option, args[1:], rest, node) for option in options_of(args[0]))


def given_network_call(
    network: int, name: str, inputs: tuple[int, ...]
) -> Callable[[Machine, Args, Keywords, cst.CSTNode], Value]:
    """A function of a library that runs the network which it is given, by position or by `name`, with these
    of its other arguments."""

    def call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        given = keywords.get(name) or (args[network] if len(args) > network else None)
        if given is None:
            return machine.unknown(node)
        passed = [args[number] if len(args) > number else SCALAR for number in inputs]
        return choice(machine.call(option, passed, {}, node) for option in options_of(given))

    return call


def variable_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`Variable(x)`: a leaf, whatever `x` was computed from (torch 2.13 detaches it)."""
    if truth(keywords.get("requires_grad", Const(False))) is True:
        machine.trace.wants_grad = True
        return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")
    return choice(map(_cut, options_of(args[0]))) if args else Tensor(Kind.DETACHED)


def _cut(value: Value) -> Value:
    """A value without the graph that it carries."""
    if isinstance(value, Unknown):
        return replace(value, ids=NO_IDS)
    if isinstance(value, Tensor) and value.kind >= Kind.MAYBE:
        return replace(value, kind=Kind.DETACHED, ids=NO_IDS, parts=NO_IDS)
    return value


def parameter_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if truth(keywords.get("requires_grad", Const(True))) is False:
        return Tensor(Kind.DETACHED)
    return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")


def set_default_dtype_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    set_default_dtype(machine, args, node)
    return NONE


def random_split_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """Parts of a data set: a list of subsets."""
    path = "torch.utils.data.random_split"
    part = machine.obj("dataset", node, path, path=path)
    part.args.update({str(i): v for i, v in enumerate(args)})
    part.args.update(keywords)
    made = new_list(machine, node)
    machine.put(made.obj, Ref(part))
    return made


def is_tensor_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], Tensor):
        return Const(True)
    return Const(False) if args and isinstance(args[0], (Scalar, Const, Items)) else SCALAR


def prepared_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return args[0] if len(args) == 1 else Items(tuple(args))


def deepspeed_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    engine = Ref(machine.obj("engine", node, "deepspeed", path="deepspeed"))
    return Items(
        (engine, Unknown(NO_IDS, machine.number("deepspeed optimizer", id(node)), "data"), SCALAR, SCALAR)
    )
