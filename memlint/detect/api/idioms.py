"""Ways of writing that torch gave up: indexing a loss, `volatile`, `retain_variables`, a device left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use
from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.regions import is_grad_off, rest_of_block
from memlint.analysis.fixes.rewrites import argument_source, indented, renamed, without_keywords
from memlint.analysis.match import Cause, Change, Match, Plan, Replace, Wrap, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import can_do_without_graph
from memlint.detect.api.indexed_losses import api_values, indexed_losses
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.tree import dotted, last_name, walk

_AUTOCAST = {"api": ["torch.amp.autocast", "torch.autocast", "torch.amp.autocast_mode.autocast"]}
_VARIABLE = {"api": ["torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"]}
IDIOM_VARIANTS = frozenset({"item", "device", "volatile", "retain"})


def old_idioms(table: Table) -> Iterator[Match]:
    """Every such place, guarded ones left out; the variant of each says which it is."""
    if not table.model.concerns_torch:
        return
    yield from indexed_losses(table.model)
    for use, call in _calls(table, _AUTOCAST):
        if not call.args or (
            "device_type" not in keywords(call)
            and all(a.keyword is not None and not a.star for a in call.args)
        ):
            yield _deviceless(table.model, use, call)
    for _, call in _calls(table, _VARIABLE):
        if _is_volatile(call) and not is_grad_off(table.model, call):
            yield _volatile(table.model, call)
    for call in table.model.names.calls:
        for arg in call.args if last_name(call.func) == "backward" else ():
            if arg.keyword is not None and arg.keyword.value == "retain_variables":
                yield _retaining(table.model, call, arg)


def _retaining(model: ScriptModel, call: cst.Call, arg: cst.Arg) -> Match:
    """A `backward(retain_variables=True)`, which has another name."""
    change = Replace(arg, f"retain_graph={indented(model, arg, arg.value)}")
    plan = Plan(Applicability.REPAIR, "write `retain_graph=`", (change,))
    return Match(call, api_values("backward", "retain_graph"), "retain", plans=(plan,))


def _calls(table: Table, entry: dict[str, list[str]]) -> Iterator[tuple[Use, cst.Call]]:
    for use in table.uses(entry):
        call = table.model.parent(use.node)
        if use.how == "call" and isinstance(call, cst.Call) and not table.protected(use):
            yield use, call


def _deviceless(model: ScriptModel, use: Use, call: cst.Call) -> Match:
    """An `autocast()` without its device, which is added where the file speaks of CUDA only."""
    text, imports = renamed(model, use.node, use.api)
    rest = ", ".join(model.code(arg).strip().rstrip(",") for arg in call.args)
    new = f'{text}("cuda"' + (f", {rest})" if rest else ")")
    first = call.args[0] if call.args else None
    change = Replace(first, f'"cuda", {argument_source(model, first)}') if first else Replace(call, new)
    # Which device was meant can only be told where the file speaks of no other.
    cuda = "cuda" in model.text and not re.search(r"\b(mps|xpu|npu|hpu|xla)\b", model.text)
    plan = Plan(Applicability.REPAIR if cuda else Applicability.DISPLAY, 'add `"cuda"`', (change, *imports))
    values = api_values(use.api, f'{model.code(use.node)}("cuda", ...)')
    return Match(use.node, values, "device", plans=(plan,))


def _is_volatile(call: cst.Call, *, only_true: bool = False) -> bool:
    """Whether a call passes `volatile`, other than False."""
    given = [
        dotted(arg.value) for arg in call.args if arg.keyword is not None and arg.keyword.value == "volatile"
    ]
    return given == ["True"] if only_true else bool(given) and given != ["False"]


def _volatile(model: ScriptModel, call: cst.Call) -> Match:
    """A `Variable(x, volatile=True)`, with the rest of its block under no_grad as the fix."""
    line = model.statement_of(call)
    plan, causes = None, tuple[Cause, ...]()
    if isinstance(line, cst.SimpleStatementLine) and _is_volatile(call, only_true=True):
        region = (line, *rest_of_block(model, line))
        causes = _recorded_there(model, call, region)
        if can_do_without_graph(model, region):
            gone: list[Change] = [
                without_keywords(model, node, frozenset({"volatile"}))
                for statement in region
                for node in walk(statement)
                if isinstance(node, cst.Call) and _is_volatile(node)
            ]
            no_grad, imports = renamed(model, call.func, "torch.no_grad")
            wrap = Wrap(region, f"with {no_grad}():")
            title = "run the rest of the block under `torch.no_grad()`"
            plan = Plan(
                Applicability.UNSAFE, title, (wrap, *gone, *imports), "no graph is built in there any more"
            )
    values, plans = api_values("volatile", "torch.no_grad()"), (plan,) if plan else ()
    return Match(call, values, "volatile", plans=plans, causes=causes)


def _recorded_there(model: ScriptModel, call: cst.Call, region: Sequence[cst.CSTNode]) -> tuple[Cause, ...]:
    """The forward passes that the rest of a block runs; none where a loop in it repeats one of them.

    What goes around such a loop alone would not reach the call.
    """
    inside = {node for statement in region for node in walk(statement)}
    found = [f for f in model.trace.passes() if not inside.isdisjoint(active_nodes(f).values())]
    if any(f.loops and f.loops[-1].node in inside for f in found):
        return ()
    return causes_of(found)
