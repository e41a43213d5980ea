"""Parameters of modules: frozen, cleared, swapped."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.interpret.contents import weights_in
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.optimizer_calls import zero_parameters
from memlint.analysis.interpret.parts import Args
from memlint.analysis.interpret.weights import is_weightless
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import (
    SCALAR,
    Const,
    Items,
    Kind,
    Obj,
    Params,
    Ref,
    Tensor,
    Value,
    options_of,
    truth,
)


def params_method(machine: Machine, owner: Params, name: str, args: Args, node: cst.CSTNode) -> Value:
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
    if off:
        return Tensor(Kind.DETACHED)
    return machine.tensor(Kind.GRAPH, node, weights_in(machine, [owner], node), "of weights")


def set_parameter(machine: Machine, owner: Params, name: str, value: Value, node: cst.CSTNode) -> None:
    """`p.requires_grad = False` and `p.grad = None` on parameters of modules."""
    if name == "requires_grad":
        freeze(machine, owner.owners, truth(value) is False, some=_is_chosen(machine, node, owner.owners))
    elif name == "grad":
        zero_parameters(machine, node, owner.owners)
    elif name == "data" and not machine.quiet:
        # Parameters swapped by hand: float32 masters live elsewhere.
        machine.trace.raised_to_float32 |= owner.owners


def freeze(machine: Machine, owners: frozenset[int], frozen: bool, *, some: bool = False) -> None:
    """Note that the modules with these identities are frozen, or no longer; `some`: not all parameters."""
    if frozen and not machine.quiet:
        machine.trace.frozen |= owners
    for number in owners if not (frozen and some) else ():
        machine.write((number, "#frozen"), Const(frozen))
        whole = machine.trace.objects.get(number)
        if not frozen and whole is not None:
            _thaw(machine, _frozen_around(machine, whole))


def _is_chosen(machine: Machine, node: cst.CSTNode, owners: frozenset[int]) -> bool:
    """Whether a loop over parameters asks each of them, by its name, whether a statement is for it.

    A branch that makes the module itself, as it is missing, chooses nothing: it freezes what it made.
    """
    made = {id(o.node) for number in owners if (o := machine.trace.objects.get(number)) is not None}
    above, tests = machine.names.parents.get(node), list[cst.BaseExpression]()
    while above is not None and not isinstance(above, (cst.For, cst.FunctionDef)):
        if isinstance(above, cst.If) and not any(
            id(c) in made for c in machine.names.every(cst.Call, above.body)
        ):
            tests.append(above.test)
        above = machine.names.parents.get(above)
    if not isinstance(above, cst.For):
        return False
    skips = (n for n in machine.names.every(cst.If, above.body) if machine.names.every(cst.Continue, n.body))
    tests += [skip.test for skip in skips]
    given = {n.value for n in machine.names.every(cst.Name, above.target)}
    return any(n.value in given for test in tests for n in machine.names.every(cst.Name, test))


def take_part(machine: Machine, whole: Obj, part: Value) -> None:
    """Note that a module was given a part with weights that learn: it is frozen as a whole no longer."""
    if whole.kind != "module" or not (frozen := _frozen_around(machine, whole)):
        return
    modules = [o.obj for o in options_of(part) if isinstance(o, Ref) and o.obj.kind == "module"]
    if any(not is_weightless(machine, module) for module in modules):
        _thaw(machine, frozen)


def _frozen_around(machine: Machine, part: Obj) -> list[Obj]:
    """Which of a module and those that it is a part of are frozen as a whole."""
    above: Obj | None = part
    seen: dict[int, Obj] = {}
    while above is not None and above.id not in seen:
        seen[above.id] = above
        holder = above.args.get("of")
        above = holder.obj if isinstance(holder, Ref) else None
    found = ((obj, machine.read((obj.id, "#frozen"))) for obj in seen.values())
    return [obj for obj, said in found if said is not None and truth(said) is True]


def _thaw(machine: Machine, frozen: Iterable[Obj]) -> None:
    """Modules are no longer frozen as a whole."""
    for obj in frozen:
        machine.write((obj.id, "#frozen"), Const(False))
