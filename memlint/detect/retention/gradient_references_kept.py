"""MEM111: gradients are stored with every step, which keeps them all or aliases of the last ones."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.facts import Store
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue, retained_values
from memlint.analysis.traits import Trait
from memlint.catalogue import Rule
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_one, literal
from memlint.syntax.tree import last_name

_COPIES = frozenset({"clone", "deepcopy"})
_KEEPS = frozenset("detach clone view flatten reshape ravel contiguous squeeze unsqueeze".split())
_JOINS = frozenset({"torch.cat", "torch.stack", "torch.nn.utils.parameters_to_vector", "copy.deepcopy"})
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores of `p.grad`, itself or copied on its device, in what outlives the step."""
    for retained in retained_values(model):
        store = retained.store
        if not model.owns(store.node) or store.product or _is_elsewhere(retained):
            continue
        if not any(retained.loop in step.loops for step in model.trace.steps.values()):
            continue  # what is gathered from several batches or clients makes one step
        value = _stored(model, store)
        found = _gradient(model, value, 6)
        if found is None:
            continue
        copied = calls_one(value, *_COPIES, "cat", "stack")
        zeroed = None if copied else _zeroing(model)
        values = {"container": store.target, "gradient": model.short(found)}
        labels = (Label("the buffers stay, and the next backward fills them", zeroed),) if zeroed else ()
        yield Match(store.node, values, "overwritten" if zeroed else "default", labels)


def _stored(model: ScriptModel, store: Store) -> cst.CSTNode:
    """What is stored: of `box[key] = value`, whose place the store names, the right side."""
    whole = model.parent(model.parent(store.node) or store.node)
    at_key = store.value_node is store.node and isinstance(whole, cst.Assign)
    return whole.value if at_key else store.value_node  # type: ignore[union-attr]


def _is_elsewhere(retained: RetainedValue) -> bool:
    """Whether all that is stored are numbers, or copies on the host."""
    return bool(retained.tensors) and all(t.traits & (Trait.SCALAR | Trait.CPU) for t in retained.tensors)


def _gradient(model: ScriptModel, node: cst.CSTNode, depth: int) -> cst.Attribute | None:
    """The `x.grad` that a stored expression hands on with all its elements."""
    if depth == 0:
        return None
    if isinstance(node, cst.Attribute):
        if node.attr.value == "grad":
            return node if not model.path_of(node) else None
        return _gradient(model, node.value, depth - 1) if node.attr.value == "data" else None
    parts: list[cst.BaseExpression] = []
    if isinstance(node, cst.Name):
        parts = reaching_values(model, node)
    elif isinstance(node, _COMPREHENSIONS):
        parts = [node.elt]
    elif isinstance(node, cst.DictComp):
        parts = [node.value]
    elif isinstance(node, (cst.List, cst.Tuple, cst.Dict)):
        parts = [element.value for element in node.elements]
    elif isinstance(node, cst.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, cst.Call):
        if model.path_of(node.func) in _JOINS and node.args:
            parts = [node.args[0].value]
        elif isinstance(node.func, cst.Attribute) and node.func.attr.value in _KEEPS:
            parts = [node.func.value]
    found = (_gradient(model, part, depth - 1) for part in parts)
    return next((f for f in found if f is not None), None)


def _zeroing(model: ScriptModel) -> cst.Call | None:
    """The call that sets gradients to zero in place, so that stored references see the next ones."""
    for call in model.names.calls:
        kept = keyword(call, "set_to_none")
        if last_name(call.func) == "zero_grad" and kept is not None and literal(kept) is False:
            return call
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value == "zero_" and last_name(func.value) == "grad":
            return call
    return None
