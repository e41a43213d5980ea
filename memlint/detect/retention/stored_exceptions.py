"""Where a handler for running out of memory stores its exception."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.oom_handlers import Handler

_KEEPING = frozenset({"append", "add", "put", "put_nowait", "insert", "extend", "appendleft", "setdefault"})


def stored_exception(model: ScriptModel, handler: Handler) -> cst.CSTNode | None:
    """Where a handler stores its exception, or sys.exc_info(), in something that outlives it."""
    if leaves(handler.node, Leave.RAISE):
        return None
    for node in model.walk(handler.node.body):
        if isinstance(node, cst.Name) and handler.name and node.value == handler.name:
            if _is_stored(model, node):
                return model.parent(node) if isinstance(model.parent(node), cst.Call) else node
        elif (
            isinstance(node, cst.Call)
            and model.names.one(node.func) == "sys.exc_info"
            and _is_stored(model, node)
        ):
            return node
    return None


def _is_stored(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression is assigned, returned or put into a container."""
    below, above = node, model.parent(node)
    while isinstance(above, (cst.Tuple, cst.List, cst.Element, cst.Dict, cst.DictElement)):
        below, above = above, model.parent(above)
    if isinstance(above, cst.Assign):
        return above.value is below
    if isinstance(above, cst.Return):
        return True
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value in _KEEPING
    )
