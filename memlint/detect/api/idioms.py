"""Ways of writing that torch gave up: indexing a loss, `volatile`, a device left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use
from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.dataflow.regions import can_be_wrapped, is_grad_off, rest_of_block
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.fixes.rewrites import renamed, without_keywords
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.match import Change, Match, Plan, Replace, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import literal, words_of
from memlint.syntax.tree import dotted, last_name, walk

_AUTOCAST = {"api": ["torch.amp.autocast", "torch.autocast", "torch.amp.autocast_mode.autocast"]}
_VARIABLE = {"api": ["torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"]}
_SAME_VALUES = frozenset({"cpu", "detach", "clone", "numpy", "float", "double", "cuda", "data"})
_REDUCES = frozenset({"sum", "mean", "norm"})
IDIOM_VARIANTS = frozenset({"item", "device", "volatile"})
_INDEX_ERRORS = frozenset({"IndexError", "RuntimeError"})


def old_idioms(table: Table) -> Iterator[Match]:
    """Every such place, guarded ones left out; the variant of each says which it is."""
    if not table.model.concerns_torch:
        return
    yield from _indexed_losses(table.model)
    for use, call in _calls(table, _AUTOCAST):
        if not call.args or (
            "device_type" not in keywords(call)
            and all(a.keyword is not None and not a.star for a in call.args)
        ):
            yield _deviceless(table.model, use, call)
    for _, call in _calls(table, _VARIABLE):
        if _is_volatile(call) and not is_grad_off(table.model, call):
            yield _volatile(table.model, call)


def _calls(table: Table, entry: dict[str, list[str]]) -> Iterator[tuple[Use, cst.Call]]:
    for use in table.uses(entry):
        call = table.model.parent(use.node)
        if use.how == "call" and isinstance(call, cst.Call) and not table.protected(use):
            yield use, call


# --- loss.data[0] -----------------------------------------------------------------------------------


def _indexed_losses(model: ScriptModel) -> Iterator[Match]:
    for node in model.names.every(cst.Subscript):
        if not _is_first(node) or _is_target(model, node):
            continue
        base, through_data = _unwrapped(node.value)
        if not through_data or not _has_no_dimensions(model, base):
            continue
        if not is_guarded(model, node, errors=_INDEX_ERRORS) and not never_runs(model, node):
            new = with_method(model, base, "item()")
            whole = _with_item_call(model, node)
            plan = Plan(Applicability.REPAIR, f"write `{new}`", (Replace(whole, new),)) if whole else None
            values = _values(model.short(node), f"{model.short(base)}.item()")
            yield Match(node, values, "item", plans=(plan,) if plan else ())


def _with_item_call(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    """The node with an `.item()` that follows it; None when a tensor is made of its value."""
    parent = model.parent(node)
    if not isinstance(parent, cst.Attribute) or parent.value is not node:
        return node
    call = model.parent(parent)
    return call if parent.attr.value == "item" and isinstance(call, cst.Call) and not call.args else None


def _is_first(node: cst.Subscript) -> bool:
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return False
    index = node.slice[0].slice.value
    return isinstance(index, cst.Integer) and index.value == "0"


def _is_target(model: ScriptModel, node: cst.CSTNode) -> bool:
    parent = model.parent(node)
    return (
        isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del))
        and getattr(parent, "value", None) is not node
    )


def _unwrapped(node: cst.BaseExpression) -> tuple[cst.BaseExpression, bool]:
    """What stands in front of `.data`, `.cpu()` and the like, and whether `.data` was among them."""
    through_data = False
    while True:
        inner = node.func if isinstance(node, cst.Call) and not node.args else node
        if not isinstance(inner, cst.Attribute) or inner.attr.value not in _SAME_VALUES:
            return node, through_data
        if (inner.attr.value == "data") == (inner is not node):
            return node, through_data
        through_data = through_data or inner.attr.value == "data"
        node = inner.value


def _has_no_dimensions(model: ScriptModel, base: cst.BaseExpression) -> bool:
    """Whether an expression is a loss, which has no dimensions, rather than a vector of them."""
    if isinstance(base, cst.Call):
        if isinstance(base.func, cst.Attribute) and base.func.attr.value in _REDUCES and not base.args:
            return True
        last = dotted(base.func).rpartition(".")[2]
        reduces = not any(_keeps_elements(model, arg) for arg in base.args)
        return reduces and _is_criterion(model, base.func, last)
    path = dotted(base)
    if not path or _keeps_dimension(model, path):
        return False
    if _is_differentiated(model, path):
        return True
    named = bool(hints.LOSS_VARIABLE.match(path.rpartition(".")[2]))
    return named and not _keeps_losses(model) and not _is_elementwise(model, path)


def _keeps_dimension(model: ScriptModel, path: str) -> bool:
    """Whether a loss has a dimension after all: `torch.cat`, which refuses values without one, joins the
    container that it is put into."""
    stored = (c for c in model.names.calls if last_name(c.func) == "append" and c.args)
    boxes = {
        dotted(c.func.value)
        for c in stored
        if isinstance(c.func, cst.Attribute) and dotted(c.args[0].value) == path
    }
    calls = (c for c in model.names.calls if c.args)
    joins = (c for c in calls if model.path_of(c.func) in ("torch.cat", "torch.concat"))
    return any(dotted(c.args[0].value) in boxes - {""} for c in joins)


def _is_elementwise(model: ScriptModel, path: str) -> bool:
    """Whether a name is given arithmetic without any call in it: one value per sample, for all we know."""
    assigned = model.names.every(cst.Assign)
    values = [a.value for a in assigned if any(dotted(t.target) == path for t in a.targets)]
    sums = [v for v in values if isinstance(v, (cst.BinaryOperation, cst.UnaryOperation))]
    return any(not any(isinstance(n, cst.Call) for n in model.walk(v)) for v in sums)


def _is_criterion(model: ScriptModel, func: cst.BaseExpression, last: str) -> bool:
    path = model.path_of(func)
    if path.startswith("torch.nn.functional.") and naming.loss_call(last):
        return True
    return kind_of(model, func) == "loss"


def _is_differentiated(model: ScriptModel, path: str) -> bool:
    return any(dotted(call.func) == f"{path}.backward" and not call.args for call in model.names.calls)


def _keeps_losses(model: ScriptModel) -> bool:
    return any(_keeps_elements(model, arg) for call in model.names.calls for arg in call.args)


def _keeps_elements(model: ScriptModel, arg: cst.Arg) -> bool:
    """Whether an argument asks for one loss per sample."""
    if arg.keyword is None:
        return False
    return (arg.keyword.value == "reduction" and "none" in words_of(arg.value)) or (
        arg.keyword.value == "reduce" and literal(arg.value) is False
    )


# --- arguments ----------------------------------------------------------------------------------------


def _deviceless(model: ScriptModel, use: Use, call: cst.Call) -> Match:
    text, imports = renamed(model, use.node, use.api)
    rest = ", ".join(model.code(arg).strip().rstrip(",") for arg in call.args)
    new = f'{text}("cuda"' + (f", {rest})" if rest else ")")
    first = call.args[0] if call.args else None
    change = (
        Replace(first, f'"cuda", {model.code(first).strip().rstrip(",")}') if first else Replace(call, new)
    )
    # Which device was meant can only be told where the file speaks of no other.
    cuda = "cuda" in model.text and not re.search(r"\b(mps|xpu|npu|hpu|xla)\b", model.text)
    plan = Plan(Applicability.REPAIR if cuda else Applicability.DISPLAY, 'add `"cuda"`', (change, *imports))
    return Match(use.node, _values(use.api, f'{model.code(use.node)}("cuda", ...)'), "device", plans=(plan,))


def _is_volatile(call: cst.Call, *, only_true: bool = False) -> bool:
    """Whether a call passes `volatile`, other than False."""
    given = [
        dotted(arg.value) for arg in call.args if arg.keyword is not None and arg.keyword.value == "volatile"
    ]
    return given == ["True"] if only_true else bool(given) and given != ["False"]


def _volatile(model: ScriptModel, call: cst.Call) -> Match:
    line = model.statement_of(call)
    plan = None
    if isinstance(line, cst.SimpleStatementLine) and _is_volatile(call, only_true=True):
        region = (line, *rest_of_block(model, line))
        if can_be_wrapped(model, region):
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
                Applicability.UNSAFE, title, (wrap, *gone, *imports), "no graph is recorded in there any more"
            )
    return Match(call, _values("volatile", "torch.no_grad()"), "volatile", plans=(plan,) if plan else ())


def _values(api: str, replacement: str) -> dict[str, str]:
    return {"api": api, "replacement": replacement, "since": "", "keyword": ""}
