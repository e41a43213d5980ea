"""The mask and the dropout of attention by hand, as arguments of a fused kernel."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.attention_products import bare
from memlint.syntax.arguments import argument, keywords
from memlint.syntax.expressions import literal

_DROPOUT = "torch.nn.functional.dropout"


def seen(model: ScriptModel, hidden: cst.BaseExpression) -> str:
    """What a kernel may look at, of what is to be hidden from it: the opposite."""
    if isinstance(hidden, cst.Comparison) and len(hidden.comparisons) == 1:
        target = hidden.comparisons[0]
        if isinstance(target.operator, cst.Equal) and literal(target.comparator) in (0, False):
            return f"{model.code(hidden.left)} != 0"
    if isinstance(hidden, cst.UnaryOperation) and isinstance(hidden.operator, cst.BitInvert):
        return model.code(hidden.expression)
    return f"~{bare(model, hidden)}"


def rate_of(model: ScriptModel, call: cst.Call) -> str:
    """The rate of a dropout, by a layer or the function of torch; "" where it is none, or not seen to be."""
    if model.path_of(call.func) == _DROPOUT:
        rate, trains = argument(call, 1, "p"), argument(call, 2, "training")
        if rate is None or keywords(call) - {"p", "training", "inplace"}:
            return ""
        return f"{bare(model, rate)} if {bare(model, trains)} else 0.0" if trains else model.code(rate)
    made = [source.node for source in value_sources(model, call.func)]
    layers = [node for node in made if isinstance(node, cst.Call)]
    if len(layers) < len(made) or {model.path_of(each.func) for each in layers} != {"torch.nn.Dropout"}:
        return ""
    layer = model.code(call.func)
    return f"{layer}.p if {layer}.training else 0.0"
