"""The last operation of a module, and whether it saves its own result for backward."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Obj, Ref, options_of
from memlint.syntax.tree import dotted


def bound_call(model: ScriptModel, node: cst.BaseExpression) -> cst.Call | None:
    """The call that an expression is, or that the name it is was bound to."""
    if isinstance(node, cst.Call):
        return node
    if not isinstance(node, cst.Name):
        return None
    found = variable(model, node, node.value)
    binds = [n for nodes in found.binds.values() for n in nodes] if found is not None else []
    target = model.parent(binds[0]) if len(binds) == 1 else None
    assign = model.parent(target) if isinstance(target, cst.AssignTarget) else None
    return assign.value if isinstance(assign, cst.Assign) and isinstance(assign.value, cst.Call) else None


def called_name(model: ScriptModel, call: cst.Call) -> str:
    """The last part of what is called, through an import alias or a module kept in a variable."""
    func = call.func.func if isinstance(call.func, cst.Call) else call.func
    path = model.path_of(func)
    return (path or model.code(func)).rpartition(".")[2]


def saves_output(model: ScriptModel, forward: Forward) -> bool:
    """Whether the last operation of a module is seen to save its own result for backward."""
    obj = forward.module.obj if isinstance(forward.module, Ref) else None
    return obj is not None and bool(hints.SAVES_OUTPUT.search(last_layer(model, obj)))


def last_layer(model: ScriptModel, obj: Obj, depth: int = 0) -> str:
    """The path or name of the last operation of a module, "" where it cannot be seen."""
    if depth > 4:
        return ""
    if obj.path.endswith(".Sequential") and obj.args:
        last = [v for k, v in obj.args.items() if k.isdecimal()][-1:]
        inner = next((o.obj for v in last for o in options_of(v) if isinstance(o, Ref)), None)
        return last_layer(model, inner, depth + 1) if inner is not None else ""
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return obj.path
    returns = [n for n in model.walk(found[0]) if type(n) is cst.Return and n.value is not None]
    value = returns[-1].value if returns else None
    call = bound_call(model, value) if value is not None else None
    if call is None:
        return ""
    held = (
        model.machine.attribute(obj, dotted(call.func).removeprefix("self.")) if model.machine.state else None
    )
    inner = next((o.obj for o in options_of(held) if isinstance(o, Ref)), None) if held is not None else None
    return last_layer(model, inner, depth + 1) if inner is not None else called_name(model, call)
