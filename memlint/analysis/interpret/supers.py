"""`super()`: which class comes next for the method that runs."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Zero
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.values import NO_IDS, SCALAR, Class, ClassInfo, Ref, Value


def _defining(info: ClassInfo, method: cst.CSTNode) -> ClassInfo:
    """The class of an object's ancestry whose statement holds a method; its own class if none does."""
    pending = [info]
    while pending:
        current = pending.pop()
        if method in current.methods.values():
            return current
        pending += [base.info for base in current.bases if isinstance(base, Class)]
    return info


def super_object(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`super()`: the object of the running method, with the methods of the next class."""
    frame = machine.frame
    bound = frame.self_value
    if isinstance(bound, Ref) and bound.obj.cls is not None:
        for base in _defining(bound.obj.cls, frame.node).bases:
            if isinstance(base, Class):
                return Ref(machine.obj("super", node, bound.obj.id, cls=base.info, args={"self": bound}))
        above = machine.names.parents.get(node)
        if bound.obj.kind == "module" and type(above) is cst.Attribute and above.attr.value == "zero_grad":
            # What torch's own zero_grad() clears are the gradients of the object itself.
            event = Zero(node=node, frame=frame, loops=machine.loops, target=bound.obj, owners=NO_IDS)
            machine.record(machine.trace.zeros, event, bound.obj.id)
    return SCALAR
