"""MEM120: a forward pass leaves an activation on its module, where it stays until the next one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Activation
from memlint.analysis.interpret.activations import PARTS
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.modules import layers
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.syntax.expressions import mentions, same
from memlint.syntax.tree import last_name

_WRITES = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del, cst.Element)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Tensors with a graph in attributes of modules that no other code takes away again."""
    for activation in model.trace.activations.values():
        node = activation.node
        small = activation.scalar or hints.SMALL_RESULT.search(node.attr.value) is not None
        if small or not model.owns(node) or in_unit_test(model, activation.frame):
            continue
        named = (o for o in model.names.every(cst.Attribute) if o.attr.value == node.attr.value)
        others = [other for other in named if other is not node]
        if any(_ends(model, activation, other) for other in others) or _only_evaluates(model, node):
            continue
        function = model.function_of(node)
        if function is not None and function.name.value == "__init__":
            continue  # the object is new in each pass, and goes with whoever made it
        if _becomes_parameters(model, node):
            continue
        copy = _copied(model, activation)
        line = model.statement_of(node)
        unread = not others and f'"{node.attr.value}"' not in model.text and bool(model.trace.steps)
        yield Match(
            node,
            {"place": model.code(node), "name": node.attr.value},
            "copied" if copy is not None else "unread" if unread else "default",
            (Label("deepcopy refuses tensors with a graph", copy),) if copy is not None else (),
            causes=((line,),) if line is not None else (),
        )


def _becomes_parameters(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether an attribute gets a list of parameters or layers by a name."""
    assigned = model.parent(model.parent(node) or node)
    value = assigned.value if isinstance(assigned, cst.Assign) else None
    sources = value_sources(model, value) if isinstance(value, cst.Name) else []
    return any(isinstance(s.node, cst.Call) and last_name(s.node.func) in PARTS for s in sources)


def _ends(model: ScriptModel, activation: Activation, other: cst.Attribute) -> bool:
    """Whether another place takes the tensor away, or shows that it is a state for the next forward pass."""
    node, function = activation.node, model.function_of(other)
    above = model.parent(other)
    if isinstance(above, _WRITES):
        within = function is model.function_of(node) and model.positions[other] < model.positions[node]
        made = function is not None and function.name.value == "__init__"
        return not made and not within
    if function is not model.function_of(node) or not same(other, node):
        return False
    return model.positions[other] < model.positions[node] and not _is_written_before(model, other)


def _is_written_before(model: ScriptModel, read: cst.Attribute) -> bool:
    """Whether the same call of the function gives an attribute its value above a read of it."""
    function = model.function_of(read)
    before = model.names.every(cst.Attribute, function.body) if function is not None else []
    return any(
        same(other, read) and model.positions[other] < model.positions[read] and model.is_target(other)
        for other in before
    )


def _only_evaluates(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the assignment stands behind `if not self.training`."""
    tests = (above.test for above in model.ancestors(node) if isinstance(above, cst.If))
    return any(mentions(test, "training") and isinstance(test, cst.UnaryOperation) for test in tests)


def _copied(model: ScriptModel, activation: Activation) -> cst.CSTNode | None:
    """The `copy.deepcopy` of the module that follows training passes of it in the same loop."""
    for call in calls_of(model, "copy.deepcopy"):
        whole = [o.obj for o in options_of(call.args[0]) if isinstance(o, Ref)] if call.args else []
        for obj in whole:
            if activation.owner is not obj and activation.owner not in layers(model, obj):
                continue
            runs = [f for f in model.trace.forwards.values() if Ref(obj) in options_of(f.module)]
            beside = [f for f in runs if set(f.loops) & set(call.loops)]
            if any(f.recorded for f in beside) and all(f.grad == "on" for f in beside):
                return call.node if model.owns(call.node) else None
    return None
