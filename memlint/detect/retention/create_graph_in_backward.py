"""MEM109: `.backward(create_graph=True)` writes gradients that carry a graph of their own."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Backward
from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import grad_reads
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.detect.retention.retained_graphs import is_needed
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import last_name

_KEYWORDS = frozenset({"create_graph"})
_CAUTION = "right only if nothing differentiates the gradients, here or in code that memlint cannot see"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Backwards that create a graph of the gradients they fill, each place once."""
    seen: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        node = backward.node
        if (
            backward.create is not True
            or not backward.fills
            or node in seen
            or not isinstance(node, cst.Call)
        ):
            continue
        seen.add(node)
        known = _steps_without_graph(model)
        wanted = not (known or grad_reads(model)) or _is_chosen(model, node)
        variant = "growth" if not _is_cleared(model, backward) else "wanted" if wanted else "default"
        yield Match(
            node,
            {"backward": model.short(node.func)},
            variant,
            plans=_plans(model, backward, node) if known else (),
            no_fix=""
            if known
            else "an optimizer out of view may differentiate the gradients: AdaHessian does",
        )


def _steps_without_graph(model: ScriptModel) -> bool:
    """Whether all optimizers that step here are those of torch, which do not differentiate gradients."""
    stepped = {step.optimizer for step in model.trace.steps.values()}
    return all(optimizer.path.startswith("torch.optim.") for optimizer in stepped)


def _is_chosen(model: ScriptModel, node: cst.Call) -> bool:
    """Whether a condition chooses between this backward and a plain one: somebody needs the graph,
    `if self.measures_curvature: loss.backward(create_graph=True)`."""
    branches = (above for above in model.ancestors(node) if isinstance(above, cst.If) and above.orelse)
    calls = (call for branch in branches for call in calls_in(branch, last_name(node.func)))
    return any(keyword(call, "create_graph") is None for call in calls)


def _is_cleared(model: ScriptModel, backward: Backward) -> bool:
    """Whether gradients are reset between two backwards; a single backward has none before it."""
    if not backward.loops:
        return True
    if any(z.loops[:1] == backward.loops[:1] for z in model.trace.zeros.values()):
        return not _is_rebuilt(model, backward)
    return False


def _is_rebuilt(model: ScriptModel, backward: Backward) -> bool:
    """Whether the loop makes a new model each time without clearing its gradients at the end."""
    outer = backward.loops[0].node
    graph = model.trace.ancestors(backward.ids)
    made = {
        option.obj.node
        for forward in model.trace.forwards.values()
        if forward.ids & graph
        for option in options_of(forward.module)
        if isinstance(option, Ref) and option.obj.node is not None and not option.obj.by_name
    }
    inside = set(model.walk(outer))
    if not made or not all(node in inside for node in made):
        return False
    rank = model.positions
    return not any(
        rank[z.node] > rank[backward.node] for z in model.trace.zeros.values() if z.frame is backward.frame
    )


def _plans(model: ScriptModel, backward: Backward, node: cst.Call) -> tuple[Plan, ...]:
    named = any(a.keyword is not None and a.keyword.value in _KEYWORDS for a in node.args)
    differentiated = [b for b in model.trace.backwards.values() if b is not backward and not b.fills]
    if not named or grad_reads(model) or differentiated or is_needed(model, backward):
        return ()
    change = without_keywords(model, node, _KEYWORDS)
    return (Plan(Applicability.UNSAFE, "drop `create_graph=True`", (change,), _CAUTION),)
