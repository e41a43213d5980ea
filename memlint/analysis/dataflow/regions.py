"""Stretches of a block that a context manager can be put around."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal, words_of
from memlint.syntax.tree import statements, walk

OFF = ("no_grad", "inference_mode", "set_grad_enabled")
_DIFFERENTIATES = frozenset({"backward", "manual_backward", "grad", "step", "fit"})
_LEAVES_OPEN = (cst.Yield, cst.Await)
"""What waits in the middle of a block, while its caller goes on in the same mode."""
_LASTING = (cst.FunctionDef, cst.ClassDef, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal)


def siblings(model: ScriptModel, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """The statements of the block that holds a statement."""
    parent = model.parent(node)
    return statements(parent) if isinstance(parent, (cst.Module, cst.IndentedBlock)) else ()


def rest_of_block(model: ScriptModel, node: cst.CSTNode) -> tuple[cst.BaseStatement, ...]:
    """The statements after the one that holds `node`, to the end of its block."""
    line = model.statement_of(node)
    block = siblings(model, line) if line is not None else ()
    after = block[block.index(line) + 1 :] if line in block else ()
    return tuple(s for s in after if isinstance(s, cst.BaseStatement))


def outermost_loop(model: ScriptModel, node: cst.CSTNode) -> cst.For | cst.While | None:
    """The outermost loop around a node within its function, or within the code of the module."""
    found = None
    for above in model.ancestors(node):
        if isinstance(above, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            break
        if isinstance(above, (cst.For, cst.While)):
            found = above
    return found


def can_be_wrapped(model: ScriptModel, region: Sequence[cst.CSTNode]) -> bool:
    """Whether statements may go under a context that switches gradients: nothing in them, or in what they
    call in this file, differentiates, they define nothing that lasts, and nothing in them waits.
    """
    if not region or any(isinstance(n, (*_LASTING, *_LEAVES_OPEN)) for s in region for n in walk(s)):
        return False
    return not _differentiates(model, region)


def _differentiates(model: ScriptModel, region: Iterable[cst.CSTNode]) -> bool:
    bodies: dict[str, list[cst.CSTNode]] = {}
    for function in model.names.every(cst.FunctionDef):
        bodies.setdefault(function.name.value, []).append(function)
    pending, seen = list(region), set[str]()
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, cst.Name) and node.value in _DIFFERENTIATES:
                return True
            if isinstance(node, cst.Name) and node.value in bodies and node.value not in seen:
                seen.add(node.value)
                pending += bodies[node.value]
    return False


def is_grad_off(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a `with` or a decorator around a node says that no graph is built."""
    for above in model.ancestors(node):
        if isinstance(above, cst.With) and any(_switches_off(item.item) for item in above.items):
            return True
        if isinstance(above, cst.FunctionDef) and any(_switches_off(d.decorator) for d in above.decorators):
            return True
    return False


def _switches_off(expression: cst.BaseExpression) -> bool:
    if not any(off in word for word in words_of(expression) for off in OFF):
        return False
    calls = (node for node in walk(expression) if type(node) is cst.Call and len(node.args) == 1)
    return not any(literal(call.args[0].value) is True for call in calls)
