"""Windows that accelerate keeps, `with accelerator.accumulate(model)`, and gradients cleared within them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Step, Zero
from memlint.analysis.knowledge.libraries import ENGINE_PATHS
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted

_CAUTION = "training changes: each step then uses the gradients of its whole window"


def cleared_in_windows(model: ScriptModel) -> Iterator[Match]:
    """Gradients of a model or of parameters that are cleared at every micro-batch of a window.

    Of the optimizers that it prepares accelerate makes step and zero_grad wait for the end of a window; a
    method of the model does not know of it.
    """
    if "accumulate" not in model.identifiers or not _several(model):
        return
    for zero in model.trace.zeros.values():
        block = _window(model, zero.node)
        step = _step_in(model, block) if block is not None else None
        if block is None or step is None or (zero.target is not None and zero.target.kind != "module"):
            continue
        asked = _method(step.node)
        optimizer = asked.value if asked is not None else None
        shown = dotted(optimizer) if optimizer is not None else "optimizer"
        values = {"zero": model.short(zero.node), "step": model.short(step.node), "optimizer": shown}
        label = Label("a window of accelerate", block.items[0].item)
        plan = _plan(model, zero, optimizer)
        yield Match(zero.node, values, "model", (label,), plans=(plan,) if plan else ())


def _plan(model: ScriptModel, zero: Zero, optimizer: cst.BaseExpression | None) -> Plan | None:
    """Ask the optimizer to clear its gradients."""
    method = _method(zero.node)
    if method is None or not isinstance(optimizer, (cst.Name, cst.Attribute)):
        return None
    asked = Replace(method.value, model.code(optimizer))
    return Plan(Applicability.UNSAFE, f"call `{dotted(optimizer)}.zero_grad()`", (asked,), _CAUTION)


def _method(node: cst.CSTNode) -> cst.Attribute | None:
    return node.func if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None


def _several(model: ScriptModel) -> bool:
    """Whether an Accelerator of the file takes several micro-batches for a step."""
    for call in model.names.calls:
        if not ENGINE_PATHS.match(model.path_of(call.func)):
            continue
        steps = keyword(call, "gradient_accumulation_steps")
        if (steps is not None and literal(steps) != 1) or keyword(call, "gradient_accumulation_plugin"):
            return True
    return False


def _window(model: ScriptModel, node: cst.CSTNode) -> cst.With | None:
    """The window in whose every pass a statement runs."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.If, cst.FunctionDef, cst.ExceptHandler)):
            return None
        if isinstance(above, cst.With) and any(_accumulates(item.item) for item in above.items):
            return above
    return None


def _accumulates(node: cst.BaseExpression) -> bool:
    method = _method(node)
    return method is not None and method.attr.value == "accumulate"


def _step_in(model: ScriptModel, block: cst.With) -> Step | None:
    """The step that waits for the end of a window which also runs backward."""
    inside = {id(node) for node in model.walk(block)}
    fed = any(id(b.node) in inside and b.fills for b in model.trace.backwards.values())
    return next((s for s in model.trace.steps.values() if fed and id(s.node) in inside), None)
