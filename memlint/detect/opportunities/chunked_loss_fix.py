"""Computing a cross-entropy over many classes some rows at a time."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.fixes.new_functions import add_function
from memlint.analysis.match import AddImport, Change, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.unneeded_logits import without_logits
from memlint.detect.opportunities.vocabulary_losses import VocabularyLoss
from memlint.finding import Applicability
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import literal

ROWS = 512
"""Rows of a chunk."""

_NAME = "chunked_cross_entropy"
_FUNCTION = """\
def {name}(head, hidden, targets, ignore_index=-100, **options):
    # The mean cross-entropy of head(hidden), {rows} rows at a time: all logits at once are never there.
    options.update(ignore_index=ignore_index, reduction="sum")

    def summed(some, wanted):
        return {torch}.nn.functional.cross_entropy(head(some), wanted, **options)

    hidden, targets = hidden.flatten(0, -2), targets.flatten()
    total = 0.0
    for some, wanted in zip(hidden.split({rows}), targets.split({rows})):
        total = total + {torch}.utils.checkpoint.checkpoint(summed, some, wanted, use_reentrant=False)
    return total / (targets != ignore_index).sum()


"""
_OPTIONS = ("ignore_index", "label_smoothing")
_CAUTION = "rows are added up in another order; what gets the logits beside the loss gets None for them"
_SINCE = (2, 13)
"""The torch from which a function of its own does it (`torch.nn.functional.linear_cross_entropy`)."""

_FIXED = "the class weights or the reduction of the loss have to be taken over"


def chunked(model: ScriptModel, found: VocabularyLoss, *, first: bool) -> tuple[tuple[Plan, ...], str]:
    """The plan, or why there is none; a file gets the function with the `first` fix."""
    wanted = argument(found.call, 1, "target")
    passed = _options(model, found)
    if wanted is None or passed is None:
        return (), _FIXED
    logits = without_logits(model, found)
    if isinstance(logits, str):
        return (), logits
    if not first or _NAME in model.identifiers:
        return (), f"the file gets its `{_NAME}` with another fix"
    torch = torch_name(model, found.call)
    imports = () if torch else (AddImport("import torch"),)
    torch = torch or "torch"
    hidden, head = found.head.args[0].value, model.code(found.head.func)
    if _has_own(model, passed):
        told = "".join(f", {text}" for text in passed)
        loss = (
            f"{torch}.nn.functional.linear_cross_entropy({_flat(model, hidden, '0, -2')}, {head}.weight, "
            f"{_flat(model, wanted, '')}{told}, linear_bias={head}.bias, "
            f"options={torch}.nn.LinearCrossEntropyOptions())"
        )
        made: tuple[Change, ...] = ()
    else:
        told = "".join(f", {text}" for text in passed)
        loss = f"{_NAME}({head}, {model.code(hidden)}, {model.code(wanted)}{told})"
        text = _FUNCTION.format(name=_NAME, rows=ROWS, torch=torch)
        function = add_function(model, found.call, text)
        made = (function,) if function is not None else ()
    changes = (*imports, *made, *logits, Replace(found.call, loss))
    return (Plan(Applicability.UNSAFE, "compute the loss some rows at a time", changes, _CAUTION),), ""


def _options(model: ScriptModel, found: VocabularyLoss) -> list[str] | None:
    """What is passed on of the options of a loss; None where one cannot be."""
    call, options = found.call, found.options
    given = options.args if options is not call else call.args[2:]
    names = [arg.keyword.value if arg.keyword is not None else "" for arg in given]
    named = dict(zip(names, given, strict=True))
    reduction = keyword(options, "reduction")
    if reduction is not None and literal(reduction) == "mean":
        named.pop("reduction")
    if any(name not in _OPTIONS for name in named) or any(arg.star for arg in given):
        return None
    if options is call:
        return [f"{name}={model.code(arg.value)}" for name, arg in named.items()]
    return [f"{name}={model.code(call.func)}.{name}" for name in named]


def _has_own(model: ScriptModel, passed: list[str]) -> bool:
    """Whether torch's own function does it: it computes in the type of what it is given, autocast or not."""
    version = model.target_torch
    if version is None or version < _SINCE or any(text.startswith("label_smoothing") for text in passed):
        return False
    return bool(model.trace.backwards) and "autocast" not in model.identifiers


def _flat(model: ScriptModel, node: cst.BaseExpression, dims: str) -> str:
    code = model.code(node)
    simple = isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    return f"{code if simple else f'({code})'}.flatten({dims})"
