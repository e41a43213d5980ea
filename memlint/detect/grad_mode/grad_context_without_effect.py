"""MEM202: a context manager is built and thrown away, or handed to `with` without being called."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.dataflow.regions import can_be_wrapped, rest_of_block
from memlint.analysis.fixes.moves import is_one_line
from memlint.analysis.match import Change, Match, Plan, Remove, Replace, Wrap, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import can_do_without_graph
from memlint.catalogue import Rule
from memlint.finding import Applicability

_CONTEXTS = {
    "torch.no_grad", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad",
    "torch.inference_mode", "torch.autograd.inference_mode", "torch.autograd.grad_mode.inference_mode",
    "torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad",
    "torch.autograd.detect_anomaly", "torch.autograd.anomaly_mode.detect_anomaly",
    "torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast", "torch.cpu.amp.autocast",
    "torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast",
}  # fmt: skip
_KEEP_GRAPHS = {p for p in _CONTEXTS if "no_grad" not in p and "inference" not in p}
_NEED_DEVICE = {"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"}
_TYPE_ERRORS = frozenset({"TypeError", "AttributeError"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Bare statements, and `with` on the class itself."""
    for path in sorted(_CONTEXTS):
        for node in model.names.references(path):
            if model.names.one(node) != path or is_guarded(model, node, errors=_TYPE_ERRORS):
                continue
            parent = model.parent(node)
            if isinstance(parent, cst.WithItem) and parent.item is node:
                yield _uncalled(model, node, path)
            elif isinstance(parent, cst.Call) and parent.func is node:
                statement = model.parent(parent)
                if isinstance(statement, cst.Expr):
                    yield _bare(model, parent, statement, path)


def _uncalled(model: ScriptModel, node: cst.CSTNode, path: str) -> Match:
    text = model.code(node)
    plan = Plan(Applicability.REPAIR, "add the parentheses", (Replace(node, f"{text}()"),))
    return Match(node, {"call": text}, "uncalled", plans=() if path in _NEED_DEVICE else (plan,))


def _bare(model: ScriptModel, call: cst.Call, statement: cst.Expr, path: str) -> Match:
    rest = rest_of_block(model, statement)
    plans: tuple[Plan, ...] = ()
    line = model.parent(statement)
    text = model.code(call)
    keeps = path in _KEEP_GRAPHS and can_be_wrapped(model, rest)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and is_one_line(model, call)
    if alone and (keeps or can_do_without_graph(model, rest)):
        changes: tuple[Change, ...] = (Remove(statement), Wrap(rest, f"with {text}:"))
        title = f"put the rest of the block under `with {model.short(call)}:`"
        plans = (Plan(Applicability.UNSAFE, title, changes, "the block then really runs in this mode"),)
    meant = () if path in _KEEP_GRAPHS else rest
    inside = {node for statement in meant for node in model.walk(statement)}
    recorded = causes_of(f for f in model.trace.forwards.values() if f.node in inside)
    return Match(call, {"call": model.short(call)}, plans=plans, causes=recorded)
