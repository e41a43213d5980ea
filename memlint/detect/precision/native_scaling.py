"""From `scale_loss` to a GradScaler: which step belongs to it, and what is written there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_scaling import ApexScaling, comments_inside
from memlint.detect.precision.scaler_home import creation, existing_scaler
from memlint.syntax.tree import dotted, statements, walk

_OPAQUE = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.For, cst.While)


def native(model: ScriptModel, found: ApexScaling) -> tuple[Change, ...] | None:
    """The changes that scale with a GradScaler; None where the matching step or a home for it is missing."""
    block = siblings(model, found.statement)
    if found.statement not in block:
        return None
    after = block[block.index(found.statement) + 1 :]
    scaler = existing_scaler(model, found.statement)
    made: tuple[Change, ...] = ()
    stepped = _calls_of(after, f"{scaler}.step") if scaler else []
    if not stepped:
        steps = _calls_of(after, f"{found.optimizer}.step")
        if len(steps) != 1 or steps[0].args or not isinstance(model.parent(steps[0]), cst.Expr):
            return None
        if not scaler:
            home = creation(model, found)
            if home is None:
                return None
            scaler, made = home
        line = model.own_statement_of(steps[0])
        if line is None:
            return None
        made += (
            Replace(steps[0], f"{scaler}.step({found.optimizer})"),
            InsertAfter(line, f"{scaler}.update()"),
        )
        reader, _ = _reader(model, after, line)
        if reader is not None and not any(a is model.parent(line) for a in model.ancestors(reader)):
            return None  # gradients are read for every batch, and may be unscaled only once for each step
        if reader is not None:
            made += (InsertBefore(reader, f"{scaler}.unscale_({found.optimizer})"),)
    scaled = [*comments_inside(found.statement), f"{scaler}.scale({found.loss}).backward({found.keeps})"]
    return (Replace(found.statement, "\n".join(scaled)), *made)


def _calls_of(block: Sequence[cst.CSTNode], path: str) -> list[cst.Call]:
    """The calls of a method in some statements, without those in inner loops and functions."""
    return [n for s in block for n in _shallow(s) if isinstance(n, cst.Call) and dotted(n.func) == path]


def _shallow(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    inner = {below for n in walk(node) if isinstance(n, _OPAQUE) for below in walk(n)}
    return (n for n in walk(node) if n not in inner)


def _reader(
    model: ScriptModel, block: Sequence[cst.CSTNode], step: cst.CSTNode
) -> tuple[cst.CSTNode | None, bool]:
    """The first statement before the step that reads gradients, and whether the step was met.

    Apex gives the gradients their true size with the end of its `with`, a GradScaler only in its step.
    """
    for statement in block:
        if statement is step or (isinstance(statement, cst.SimpleStatementLine) and step in statement.body):
            return None, True
        if isinstance(statement, (cst.If, cst.With, cst.Try)):
            parts = (part for part in model.walk(statement) if model.parent(part) is statement)
            suites = [part for part in parts if isinstance(part, (cst.BaseSuite, cst.Else))]
            for suite in suites:
                body = suite.body if isinstance(suite, cst.Else) else suite
                found, met = _reader(model, statements(body), step)
                if found is not None or met:
                    return found, met
        elif any(_reads_gradients(node) for node in walk(statement)):
            return statement, False
    return None, False


def _reads_gradients(node: cst.CSTNode) -> bool:
    """Whether code clips or reads gradients: by its name, by `.grad`, or by a function of the parameters."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == "grad" and dotted(node) != "torch.autograd.grad"
    if not isinstance(node, cst.Call):
        return False
    if dotted(node.func).rpartition(".")[2].startswith("clip_grad"):
        return True
    given = (arg.value for arg in node.args if isinstance(arg.value, cst.Call))
    return any(dotted(call.func).endswith((".parameters", ".named_parameters")) for call in given)
