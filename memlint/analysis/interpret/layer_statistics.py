"""Statistics that a normalising layer takes of its input, which comes from the layers before it.

A file that defines such a layer need not run it. What it normalises are features of a network, and with those
come their graphs; data and observations are normalised by objects without weights.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.interpret.contents import assigned_values
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.values import ClassInfo, Frame, Kind, Obj, Params, Ref, Tensor, Value
from memlint.syntax.arguments import argument_for, parameters
from memlint.syntax.tree import last_name

_STATISTICS = frozenset("mean var std std_mean var_mean norm".split())
_CUTS = frozenset("detach detach_ data item tolist numpy no_grad".split())
_LINKS = 4
"""How many names may lie between a statistic and the argument that it is of."""


def are_statistics(machine: Machine, operands: Iterable[cst.BaseExpression]) -> bool:
    """Whether one of these, in a `forward` that nothing in the file calls or in a function that it calls, is
    a statistic of the features which its layer normalises."""
    function, layer = machine.frame.node, machine.frame
    if layer.self_value is None and layer.caller is not None and isinstance(layer.call, cst.Call):
        layer = layer.caller
    forward, me = layer.node, layer.self_value
    if type(forward) is not cst.FunctionDef or forward.name.value != "forward" or not layer.entry:
        return False
    if not isinstance(me, Ref) or me.obj.cls is None or not _normalises(machine, me.obj, me.obj.cls):
        return False
    given = parameters(forward)[1:]
    if forward is not function:
        given = _handed_on(machine.frame, given)
    return any(_of_argument(machine, operand, given) for operand in operands)


def _handed_on(frame: Frame, given: list[str]) -> list[str]:
    """The parameters of a function that get arguments of its caller as they are."""
    if type(frame.node) is not cst.FunctionDef or not isinstance(frame.call, cst.Call):
        return []
    function = frame.node
    pairs = ((name, argument_for(frame.call, function, name)) for name in parameters(function))
    return [name for name, value in pairs if type(value) is cst.Name and value.value in given]


def _normalises(machine: Machine, obj: Obj, info: ClassInfo) -> bool:
    """Whether an object is a layer of batch normalisation: by what its class extends, or by its name and
    weights of its own."""
    if any(libraries.BATCH_NORMS.match(path) for path in info.ancestry()):
        return True
    if not hints.NORMALISER.search(info.node.name.value):
        return False
    return any(_learns(value) for _, value in machine.entries(obj))


def _learns(value: Value) -> bool:
    """Whether a value is a parameter or a layer that has some."""
    if isinstance(value, Ref):
        return value.obj.kind == "module"
    return isinstance(value, Params) or (isinstance(value, Tensor) and value.kind is Kind.GRAPH)


def _of_argument(machine: Machine, node: cst.BaseExpression, given: list[str]) -> bool:
    """Whether a mean, a variance or the like of an argument is computed here, with its graph."""
    made = assigned_values(machine, machine.names, machine.frame.node)
    counted, seen, open_nodes = False, set[str](), [node]
    for _ in range(_LINKS):
        names: list[str] = []
        for found in (n for part in open_nodes for n in machine.names.walk(part)):
            if type(found) is cst.Attribute and found.attr.value in _CUTS:
                return False
            if type(found) is cst.Call and last_name(found.func) in _STATISTICS:
                counted = True
            elif type(found) is cst.Name:
                names.append(found.value)
        if counted and any(name in given for name in names):
            return True
        fresh = [name for name in names if name not in seen and name not in given]
        seen.update(fresh)
        # A name among several targets is looked for in all that such targets are given.
        open_nodes = [value for name in fresh for value in made.get(name, made.get("", ()))]
    return False

