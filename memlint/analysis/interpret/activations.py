"""Tensors with a graph that a forward pass leaves in attributes of its module."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Activation
from memlint.analysis.interpret.contents import argument_kind, deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.knowledge.libraries import DEVICE_MOVES
from memlint.analysis.traits import Trait
from memlint.analysis.values import Kind, Obj, Ref, Tensor, Value, options_of
from memlint.syntax.expressions import same
from memlint.syntax.tree import last_name

PARTS = frozenset("Parameter ParameterList ParameterDict ModuleList ModuleDict".split())
"""What makes parameters or layers, which belong to a module."""


def note_activation(machine: Machine, owner: Obj, target: cst.Attribute, value: Value) -> None:
    """Write down that a running forward pass gives an attribute of a module a value with a graph.

    Also while a function summary is made: what a module keeps is the same for all of its calls.
    """
    if owner.kind != "module" or _only_holds(owner) or argument_kind(machine, [value], {}) is not Kind.GRAPH:
        return
    if _is_a_part(machine, target):
        return
    in_forward = any(f.name == "forward" and isinstance(f.self_value, Ref) for f in machine.frame.chain())
    made = deep_ids(machine, value) - machine.trace.graph_leaves
    if not in_forward or not made:
        return
    scalar = all(isinstance(v, Tensor) and Trait.SCALAR in v.traits for v in options_of(value))
    known = machine.trace.activations.get(target)
    if known is None or (known.scalar and not scalar):
        machine.trace.activations[target] = Activation(target, owner, machine.frame, scalar)


def _only_holds(owner: Obj) -> bool:
    """Whether a class of the file is a module without a forward pass: a record with fields."""
    if owner.cls is None or owner.cls.find("forward") is not None:
        return False
    return owner.cls.ancestry() <= {"torch.nn.Module", "torch.nn.modules.module.Module"}


def _is_a_part(machine: Machine, target: cst.Attribute) -> bool:
    """Whether an attribute gets parameters or layers, or what it had before on another device."""
    assigned = machine.names.parents.get(machine.names.parents.get(target) or target)
    value = assigned.value if isinstance(assigned, cst.Assign) else None
    if not isinstance(value, cst.Call):
        return False
    moved = value.func.value if isinstance(value.func, cst.Attribute) else None
    if moved is not None and last_name(value.func) in DEVICE_MOVES and same(moved, target):
        return True
    return last_name(value.func) in PARTS
