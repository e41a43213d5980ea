"""MEM108: `retain_graph=True` on a backward whose graph nothing uses again."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Backward
from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_handed_out
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.detect.retention.retained_graphs import graph_of, needless
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords

_CAUTION = "if code that memlint cannot see runs backward through this graph again, that raises RuntimeError"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Backwards that keep their graph for nobody."""
    for backward in needless(model):
        node = backward.node
        if not isinstance(node, cst.Call) or "retain_variables" in keywords(node):
            continue
        keyword = next((a for a in node.args if a.keyword and a.keyword.value == "retain_graph"), None)
        plans: tuple[Plan, ...] = ()
        if keyword is not None:
            safe = _is_alone(model, backward)
            plans = (
                Plan(
                    Applicability.SAFE if safe else Applicability.UNSAFE,
                    "drop `retain_graph=True`",
                    (without_keywords(model, node, frozenset({"retain_graph"})),),
                    "" if safe else _CAUTION,
                ),
            )
        yield Match(node, {"backward": model.short(node.func)}, plans=plans)


def _is_alone(model: ScriptModel, backward: Backward) -> bool:
    """Whether the backward is the only one of the file, and all that it runs through is in view."""
    trace = model.trace
    if not backward.loops or any(b.node is not backward.node for b in trace.backwards.values()):
        return False
    graph = model.trace.ancestors(backward.ids)
    if graph & (trace.maybe_detached | trace.unknowns) or is_handed_out(model, graph):
        return False
    if not graph_of(model, backward):
        return False
    feeding = [f for f in trace.forwards.values() if f.ids & graph]
    modules = [o for f in feeding for o in options_of(f.module)]
    seen = all(
        isinstance(o, Ref) and (o.obj.cls is not None or o.obj.path.startswith("torch.nn.")) for o in modules
    )
    hooks = {"register_hook", "register_forward_hook", "register_full_backward_hook", "save_for_backward"}
    return bool(feeding) and seen and not hooks & model.identifiers
