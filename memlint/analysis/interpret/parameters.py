"""Parameters of modules: frozen, cleared, swapped."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.optimizer_calls import zero_parameters
from memlint.analysis.interpret.parts import Args
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import SCALAR, Const, Items, Kind, Params, Tensor, Value, truth


def params_method(machine: Machine, owner: Params, name: str, args: Args) -> Value:
    """The result of a method of parameters: `p.requires_grad_(False)`, `p.detach()`."""
    if name == "requires_grad_":
        frozen = truth(args[0] if args else Const(True)) is False
        freeze(machine, owner.owners, frozen)
        return owner
    if name in lib.SCALAR_METHODS:
        return SCALAR
    off = machine.state is not None and machine.state.grad == "off"
    if name in ("detach", "clone", "cpu", "to", "float", "cuda"):
        return Tensor(Kind.DETACHED) if name == "detach" or off else owner
    if name in ("values", "items"):
        return owner if name == "values" else Items((SCALAR, owner))
    return Tensor(Kind.DETACHED) if off else Tensor(Kind.GRAPH)


def set_parameter(machine: Machine, owner: Params, name: str, value: Value, node: cst.CSTNode) -> None:
    """`p.requires_grad = False` and `p.grad = None` on parameters of modules."""
    if name == "requires_grad":
        freeze(machine, owner.owners, truth(value) is False)
    elif name == "grad":
        zero_parameters(machine, node, owner.owners)
    elif name == "data" and not machine.quiet:
        # Parameters swapped by hand: float32 masters live elsewhere.
        machine.trace.raised_to_float32 |= owner.owners


def freeze(machine: Machine, owners: frozenset[int], frozen: bool) -> None:
    """Note that the modules with these identities are frozen, or no longer."""
    if frozen and not machine.quiet:
        machine.trace.frozen |= owners
    for number in owners:
        machine.write((number, "#frozen"), Const(frozen))
