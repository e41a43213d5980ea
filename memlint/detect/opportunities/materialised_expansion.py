"""MEM414: tensors that are written out though their elements repeat, or are nearly all zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.opportunities.expansions import Expansion, decides_layout, expansions
from memlint.detect.opportunities.labels_instead import labels_instead
from memlint.detect.opportunities.one_hot_targets import OneHot, one_hot_targets
from memlint.detect.opportunities.square_losses import Square, squares
from memlint.finding import Applicability
from memlint.syntax.tree import statements

_LABELS = "the loss is summed up in another order, so its last bits may differ"
_DIMENSIONS = "right where the tensor has as many dimensions as the call has numbers"
_LAYOUT = "what is computed may lie in memory in another order, which `.view()` does not accept"
_SQUEEZE = "the loss changes: it becomes the one that was meant"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """One-hot targets of a cross-entropy, repeated operands, and losses of (N, 1) against (N,)."""
    seen: set[cst.CSTNode] = set()
    for found in one_hot_targets(model):
        if found.node not in seen and model.owns(found.node):
            seen.add(found.node)
            yield _of_one_hot(model, found)
    for row in _in_rows(model, list(expansions(model))):
        for expansion in row:
            match = _of_expansion(model, expansion)
            yield replace(match, causes=tuple((e.call,) for e in row)) if len(row) > 1 else match
    for square in squares(model):
        yield _of_square(model, square)


def _of_one_hot(model: ScriptModel, found: OneHot) -> Match:
    changes = tuple(Replace(node, code) for node, code in labels_instead(model, found))
    title = "give the loss the labels themselves"
    plans = (Plan(Applicability.UNSAFE, title, changes, _LABELS),) if changes else ()
    labels = (Label("the loss that reads it", found.loss),)
    variant = "few" if found.few else "default" if found.given is not None else "by-hand"
    return Match(found.node, {"target": model.short(found.node)}, variant, labels, plans=plans)


def _in_rows(model: ScriptModel, found: list[Expansion]) -> list[list[Expansion]]:
    """The copies, those of statements that follow one another together: they meet in one operation."""
    rows: list[list[Expansion]] = []
    last: cst.CSTNode | None = None
    for expansion in found:
        line = model.statement_of(expansion.call)
        block = model.parent(line) if line is not None else None
        body = statements(block) if block is not None else ()
        follows = last in body and line in body and body.index(line) == body.index(last) + 1
        if rows and line is not None and last is not None and follows and _meet(model, body, last, line):
            rows[-1].append(expansion)
        else:
            rows.append([expansion])
        last = line
    return rows


def _meet(model: ScriptModel, body: Sequence[cst.CSTNode], first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether one of the statements that follow reads what two assignments made, or the second changes what
    the first has made: `y = y * scale.repeat(...)`, `y = y + mean.repeat(...)`."""
    given = [t.target for line in (first, second) for a in model.every(cst.Assign, line) for t in a.targets]
    names = {target.value for target in given if isinstance(target, cst.Name)}
    if len(given) == 2 and len(names) == 1:
        return names <= model.names_in(second)
    later = body[list(body).index(second) + 1 :]
    return len(names) > 1 and any(names <= model.names_in(statement) for statement in later)


def _of_expansion(model: ScriptModel, found: Expansion) -> Match:
    plans: tuple[Plan, ...] = ()
    if found.sizes:
        change = Replace(found.call, _expanded(model, found))
        caution = _DIMENSIONS if not found.certain else _LAYOUT if decides_layout(model, found) else ""
        kind = Applicability.UNSAFE if caution else Applicability.SAFE
        plans = (Plan(kind, "repeat it without a copy", (change,), caution),)
    variant = "rows" if found.slight else "repeat"
    return Match(found.call, {"call": model.short(found.call)}, variant, plans=plans)


def _expanded(model: ScriptModel, found: Expansion) -> str:
    """The call with `expand`, on the lines that it was written on."""
    func, given = found.call.func, cst.parse_expression(f"f({found.sizes})")
    assert isinstance(given, cst.Call)
    if not isinstance(func, cst.Attribute) or func.value is not found.owner:
        return f"{model.code(found.owner)}.expand({found.sizes})"
    func = func.with_changes(attr=cst.Name("expand"))
    return indented(model, found.call, cst.Call(func, given.args))


def _of_square(model: ScriptModel, found: Square) -> Match:
    simple = isinstance(found.column, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    change = Replace(found.column, f"{model.code(found.column)}.squeeze(-1)")
    title = "compare each prediction with its own target"
    plans = (Plan(Applicability.UNSAFE, title, (change,), _SQUEEZE),) if simple else ()
    values = {"call": model.short(found.call), "column": model.short(found.column)}
    return Match(found.call, {**values, "row": model.short(found.row)}, "square", plans=plans)
