"""MEM803: attention that keeps its map for backward, where a fused kernel keeps none."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import with_last
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.training.sizing.outputs import SMALL
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.detect.opportunities.attention_maps import attentions
from memlint.detect.opportunities.fused_attention_fix import CAUTION, fused
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import item_key, speaks_of

_LAYER = "torch.nn.MultiheadAttention"
_BYTES = 4
_SECOND_DERIVATIVES = frozenset("create_graph hessian hvp vhp jvp jacfwd gradgradcheck".split())
"""Words of code that differentiates a gradient, or forwards. torch 2.13: "derivative for
aten::_scaled_dot_product_flash_attention_backward is not implemented"."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Attention by hand whose map nobody else reads, and layers of attention whose weights are dropped."""
    seen: set[cst.CSTNode] = set()
    kept = _needs_map(model)
    for attention in attentions(model):
        if attention.scores in seen or stands_in_unit_test(model, attention.scores):
            continue
        if _has_fused(model, attention.scores) or _is_small(model, [attention.scores]):
            continue
        seen.add(attention.scores)
        label = Label("the map, kept for backward", attention.softmax)
        values, plans = {"scores": model.short(attention.scores)}, () if kept else fused(model, attention)
        yield Match(attention.scores, values, labels=(label,), plans=plans, no_fix=kept)
    for call in model.names.calls if model.names.references(_LAYER) else ():
        given = [arg.value for arg in call.args[:2]]
        if _is_layer(model, call) and _drops_weights(model, call) and not stands_in_unit_test(model, call):
            if _is_small(model, given, last=1):
                continue
            change = with_last(model, call, "need_weights=False")
            plan = Plan(Applicability.UNSAFE, "add `need_weights=False`", (change,), CAUTION)
            values, plans = {"layer": model.short(call.func)}, () if kept else (plan,)
            yield Match(call, values, "weights", plans=plans, no_fix=kept)


def _needs_map(model: ScriptModel) -> str:
    """What a fused kernel may break in another place, as the reason why none is written; "" for nothing."""
    words = model.identifiers | model.words_around
    if not words.isdisjoint(_SECOND_DERIVATIVES):
        return "gradients are differentiated again, which fused kernels do not allow"
    return "a hook may read the map" if "register_forward_hook" in words else ""


def _has_fused(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the function or class around uses a fused kernel as well: this is for where there is none."""
    around = model.class_of(node) or model.function_of(node)
    return around is not None and speaks_of(around, hints.FUSED_ATTENTION)


def _is_small(model: ScriptModel, factors: list[cst.BaseExpression], last: int = 0) -> bool:
    """Whether a map is seen to be small; of the inputs of a layer, all dimensions but the `last` make it."""
    count = _BYTES
    for factor in factors:
        shape = shape_of(model, factor)
        if not shape:
            return False
        for size in shape[: len(shape) - last]:
            if not isinstance(size, int):
                return False
            count *= size
    return count < SMALL


def _is_layer(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call runs a layer of attention with its query, key and value, and leaves the rest open."""
    plain = [a for a in call.args if a.keyword is None]
    if not len(call.args) >= 3 or len(plain) > 4 or any(a.star for a in call.args):
        return False
    if "need_weights" in keywords(call):
        return False
    made = [o.node for o in value_sources(model, call.func)]
    return bool(made) and all(isinstance(m, cst.Call) and model.path_of(m.func) == _LAYER for m in made)


def _drops_weights(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the second result of a call is thrown away: `y, _ = attend(...)`, `attend(...)[0]`."""
    above = model.parent(call)
    if isinstance(above, cst.Subscript):
        return above.value is call and item_key(above) == 0
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return False
    target = above.targets[0].target
    if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
        return False
    weights, statement = target.elements[1].value, model.statement_of(above)
    found = variable(model, weights, weights.value) if isinstance(weights, cst.Name) else None
    unread = found is not None and not found.captured and statement is not None
    return unread and not found.reads_after(statement)  # type: ignore[union-attr, arg-type]
