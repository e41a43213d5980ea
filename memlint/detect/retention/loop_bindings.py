"""What a name is given inside a piece of code."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import definitions_by
from memlint.analysis.facts import Loop
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted, root_name

_BINDERS = frozenset(
    {
        cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.WithItem,
        cst.ExceptHandler, cst.ExceptStarHandler, cst.Import, cst.ImportFrom,
    }
)  # fmt: skip
"""What binds names for the code around it; functions, classes and their parameters do not."""


def values_bound(model: ScriptModel, word: str, scope: cst.CSTNode) -> list[cst.BaseExpression | None]:
    """What a name is assigned inside a piece of code; None for a binding without a value of its own."""
    return _bound(model, scope).get(word, [])


@cached
def _bound(model: ScriptModel, scope: cst.CSTNode) -> dict[str, list[cst.BaseExpression | None]]:
    """All that is bound or changed inside a piece of code, by name."""
    found: dict[str, list[cst.BaseExpression | None]] = {}
    for node in model.walk(scope):
        if type(node) is cst.Del:
            for name in model.names_in(node.target):
                found.setdefault(name, []).append(None)
        for target, definition in definitions_by(node) if type(node) in _BINDERS else ():
            whole = definition.node if definition.kind == "value" and type(target) is cst.Name else None
            for name in model.names_in(target):
                found.setdefault(name, []).append(whole if isinstance(whole, cst.BaseExpression) else None)
    return found


CONVERSIONS = frozenset(
    "to cuda cpu float half double bfloat16 long int view reshape unsqueeze squeeze permute transpose "
    "contiguous flatten requires_grad_ detach t clone pin_memory size dim numel".split()
)


def is_changed_elsewhere(model: ScriptModel, word: str, loop: Loop) -> bool:
    """Whether the loop hands a name to code that may fill it, or calls a method on it that may change it."""
    forwards = {id(f.node) for f in model.trace.forwards.values()}
    for node in model.walk(loop.node):
        if type(node) is not cst.Call:
            continue
        func = node.func
        if isinstance(func, cst.Attribute) and root_name(func.value) == word:
            if func.attr.value not in CONVERSIONS:
                return True
        elif any(word in model.names_in(a.value) for a in node.args) and id(node) not in forwards:
            last = dotted(func).rpartition(".")[2]
            if not (
                naming.loss_call(last)
                or last in ("len", "print", "int", "float", "range")
                or last in CONVERSIONS
            ):
                return True
    return False
