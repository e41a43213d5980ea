"""MEM107: a running average whose new value keeps the graph of all old ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Average
from memlint.analysis.match import Match, Plan, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.plans import no_grad_header, shown_raw
from memlint.analysis.regions import is_grad_off
from memlint.analysis.tree import statements, words_in
from memlint.catalogue import Rule
from memlint.finding import Applicability

_AVERAGE = re.compile(
    r"(^|[_.])(ema|avg|averaged?|means?|moving|running|shadow|smooth\w*|centers?|centroids?|codebook|cluster\w*"
    r"|prototypes?|stats?|var|baseline)([_.\[]|\d|$)",
    re.IGNORECASE,
)
_WALKS = re.compile(r"\bzip\(|parameters\(|\.items\(|\.values\(|state_dict\(")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Averages that outlive the step and take in something with a graph, each statement once."""
    seen: set[cst.CSTNode] = set()
    for average in model.trace.averages.values():
        if average.node in seen or is_grad_off(model, average.node) or not _survives(model, average):
            continue
        used = bool(average.made & model.trace.backed)
        if used and not _fails(model, average):
            continue
        if not average.weights and not _AVERAGE.search(average.target):
            continue
        seen.add(average.node)
        values = {"target": average.target, "value": model.short(average.operand)}
        yield Match(average.node, values, "used" if used else "default", plans=_plans(model, average, used))


def _fails(model: ScriptModel, average: Average) -> bool:
    """Whether a backward of the loop runs through the average into the iterations before."""
    for backward in model.trace.backwards.values():
        if backward.older & set(average.loops) and average.made & model.machine.ancestors(backward.ids):
            return True
    return False


def _survives(model: ScriptModel, average: Average) -> bool:
    """Whether the average is still there in the next step: an attribute, an element, an outer variable."""
    root = words_in(average.target)[0] if words_in(average.target) else ""
    function = model.function_of(average.node)
    if root == "self":
        return function is not None and function.name.value != "__init__"
    if _walked(model, average.node, root) is not None or root in average.frame.outer:
        return True
    loop = average.loops[-1] if average.loops else None
    if loop is None or loop.frame is not average.frame or not isinstance(loop.node, (cst.For, cst.While)):
        return False
    return not any(
        root in _targets(model, node) for node in model.walk(loop.node) if node is not average.node
    )


def _walked(model: ScriptModel, node: cst.CSTNode, root: str) -> cst.For | None:
    """The loop around a statement that goes through stored tensors under this name."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.FunctionDef, cst.ClassDef)):
            return None
        if isinstance(above, cst.For) and _WALKS.search(model.code(above.iter)):
            names = {n.value for n in model.walk(above.target) if isinstance(n, cst.Name)}
            if root in names:
                return above
    return None


def _targets(model: ScriptModel, node: cst.CSTNode) -> set[str]:
    """The names that a statement binds."""
    if isinstance(node, cst.Assign):
        bound = [t.target for t in node.targets]
    elif isinstance(node, cst.For):
        bound = [node.target]
    else:
        return set()
    return {n.value for b in bound for n in model.walk(b) if isinstance(n, cst.Name)}


def _plans(model: ScriptModel, average: Average, used: bool) -> tuple[Plan, ...]:
    line = model.statement_of(average.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return ()
    block = model.parent(line)
    loop = model.parent(block) if block is not None else None
    region: cst.BaseStatement = line
    if isinstance(loop, cst.For) and _WALKS.search(model.code(loop.iter)) and len(statements(loop.body)) == 1:
        region = loop
    header, imports = no_grad_header(model)
    safe = not used and average.weights and not shown_raw(model, average.node, average.target)
    return (
        Plan(
            Applicability.SAFE if safe else Applicability.UNSAFE,
            "average under `torch.no_grad()`",
            (Wrap((region,), header), *imports),
            "" if safe else "right only if nothing differentiates through the average",
        ),
    )
