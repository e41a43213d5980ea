"""Whether kept weights are only put back into a module, or saved: then they may lie anywhere."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import without_entry
from memlint.detect.checkpoints.kept_weights import KeptWeights
from memlint.syntax.expressions import calls_in, mentions, place
from memlint.syntax.tree import last_name

_RESTORING = frozenset("load_state_dict save print len deepcopy isinstance bool".split())
_PASSIVE = (
    cst.AssignTarget, cst.AnnAssign, cst.Return, cst.Comparison, cst.ComparisonTarget, cst.If, cst.NameItem,
    cst.DictElement, cst.Param, cst.UnaryOperation, cst.Del, cst.Expr,
)  # fmt: skip

_COPYING = frozenset({"deepcopy", "copy", "dict", "OrderedDict"})


def is_only_restored(model: ScriptModel, kept: KeptWeights) -> bool:
    """Whether all that reads kept weights loads them into a module, saves, returns or tests them."""
    target = place(without_entry(kept.target))
    nodes = (*model.names.every(cst.Name), *model.names.every(cst.Attribute))
    return bool(target) and all(_restores(model, n) for n in nodes if place(n) == target)


def _restores(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a mention of kept weights binds, tests, returns, saves or loads them."""
    above = model.parent(node)
    while isinstance(above, (cst.Element, cst.Tuple)) or (
        isinstance(above, cst.Subscript) and above.value is node
    ):
        node, above = above, model.parent(above)
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        return isinstance(call, cst.Call) and last_name(call.func) in _RESTORING
    if isinstance(above, cst.Attribute):
        return above.attr.value in ("append", "clear", "pop")
    return isinstance(above, _PASSIVE)


def state_in(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """What is kept, if it is a state dict or a plain copy of one; of a tuple, its only such member."""
    if isinstance(value, (cst.Tuple, cst.List)):
        parts = [e.value for e in value.elements if mentions(e.value, "state_dict")]
        return state_in(parts[0]) if len(parts) == 1 else None
    if isinstance(value, cst.DictComp):
        clause, of = value.for_in, [last_name(call.func) for call in calls_in(value.for_in.iter)]
        whole = clause.inner_for_in is None and not clause.ifs and isinstance(value.key, cst.Name)
        return value if whole and of == ["items", "state_dict"] else None
    inner = value
    while isinstance(inner, cst.Call) and last_name(inner.func) in _COPYING and len(inner.args) == 1:
        inner = inner.args[0].value
    asked = isinstance(inner, cst.Call) and not inner.args and last_name(inner.func) == "state_dict"
    return value if asked else None
