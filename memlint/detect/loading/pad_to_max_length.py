"""MEM415: every text of the training data is padded to the longest length that is allowed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.loading.padding import is_counted_on, paddings, takes_whole_batch
from memlint.detect.loading.padding_places import Padding
from memlint.finding import Applicability

_CAUTION = "batches have different lengths from here on, and a loss or metric over padding changes with them"

_COUNTED = "{:,} also stands where the file shapes a layer or a tensor, which may count on this length"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Tokenizers, collators and padding by hand that fill up to one length, in code that feeds training."""
    if not model.concerns_torch:
        return
    found = list(paddings(model))
    for padding in found:
        same = [p for p in found if model.function_of(p.node) is model.function_of(padding.node)]
        plans: tuple[Plan, ...] = ()
        counted = is_counted_on(model, padding)
        if padding.option and len(same) == 1 and takes_whole_batch(model, padding) and not counted:
            change = Replace(padding.option, "padding=True")
            plans = (Plan(Applicability.UNSAFE, "pad to the longest of the batch", (change,), _CAUTION),)
        reason = _COUNTED.format(padding.length) if counted else ""
        yield Match(padding.node, _values(model, padding), padding.how, plans=plans, no_fix=reason)


def _values(model: ScriptModel, found: Padding) -> dict[str, str]:
    shown = found.node.func if isinstance(found.node, cst.Call) and found.how != "by-hand" else found.node
    length = f"{found.length:,} tokens" if found.length else "the longest length allowed"
    return {"call": model.short(shown), "length": length}
