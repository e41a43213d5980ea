"""Loads whose result need not be mapped to the CPU, or may not be: own buffers, networks called elsewhere."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.syntax.expressions import same, speaks_of
from memlint.syntax.tree import last_name


def reads_memory(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a load reads what its own function has just written: a buffer in memory, or a file of numbers
    and settings, `torch.save({"epoch": 0, "config": config}, path)`."""
    function, given = model.function_of(call), call.args[0].value
    if function is None:
        return False
    saves = [c for c in model.every(cst.Call, function) if model.path_of(c.func) == "torch.save"]
    written = [c.args[0].value for c in saves if len(c.args) == 2 and same(c.args[1].value, given)]
    if written and not any(_holds_weights(model, value) for value in written):
        return True
    return any(
        isinstance(line.value, cst.Call)
        and model.path_of(line.value.func) == "io.BytesIO"
        and not line.value.args
        and any(same(target.target, given) for target in line.targets)
        for line in model.every(cst.Assign, function)
    )


def _holds_weights(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether an expression is anything but a dictionary of numbers, texts and settings."""
    if not isinstance(value, cst.Dict):
        return True
    values = [element.value for element in value.elements if isinstance(element, cst.DictElement)]
    plain = all(isinstance(v, (cst.Name, cst.Integer, cst.Float, cst.SimpleString, cst.Dict)) for v in values)
    inside = [v for v in values if isinstance(v, cst.Dict)]
    named = (v for v in values if isinstance(v, cst.Name))
    if len(values) < len(value.elements) or not plain:
        return True
    known = any(kind_of(model, v) or speaks_of(v, hints.KEPT_STATE) for v in named)
    return known or any(_holds_weights(model, v) for v in inside)


def is_named_a_loss(model: ScriptModel, call: cst.Call) -> bool:
    """Whether what a load gives is kept under the name of a loss, which has no weights to speak of."""
    line = model.parent(call)
    targets = line.targets if isinstance(line, cst.Assign) else ()
    return any(naming.loss_call(last_name(target.target)) for target in targets)


def is_moved_here(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the function that loads a network moves it to a device, whatever branch loads it: the network
    is called elsewhere with inputs that are there."""
    around = model.function_of(call) or model.root_of(call)
    line = model.parent(call)
    if not isinstance(line, cst.Assign):
        return isinstance(line, cst.Attribute) and line.attr.value in ("to", "cuda")
    branches = {above for above in model.ancestors(call) if isinstance(above, cst.BaseSuite)}
    for move in model.every(cst.Call, around):
        func = move.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in ("to", "cuda"):
            continue
        suite = next((above for above in model.ancestors(move) if isinstance(above, cst.BaseSuite)), None)
        moved = any(same(func.value, target.target) for target in line.targets)
        if moved and (suite is None or suite in branches):
            return True
    return False
