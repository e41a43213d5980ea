"""MEM305: logits of a large vocabulary are copied to float32 for the loss."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import code_words, hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.modules import language_model, widest_linear
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.detect.precision.upcasts import Upcast, upcasts
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import comments_on

_LARGE = 10_000


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Conversions for a cross-entropy over many classes, where nobody says that the numbers need it."""
    seen: set[cst.CSTNode] = set()
    for found in upcasts(model):
        call = found.call
        if call in seen or not model.owns(call) or stands_in_unit_test(model, call):
            continue
        seen.add(call)
        if _is_large(model, found) and not _is_wanted(model, call):
            values = {"call": model.short(call)}
            labels = (Label("the loss that reads the copy", found.loss),) if found.loss is not call else ()
            yield Match(call, values, "inside" if found.inside else "default", labels)


def _is_large(model: ScriptModel, found: Upcast) -> bool:
    """Whether there are many classes: by the layers in view, else by words of a vocabulary."""
    objects = [o.obj for o in options_of(found.forward.module) if isinstance(o, Ref)]
    if any(language_model(obj) for obj in objects):
        return True
    widest = max((widest_linear(model, obj) for obj in objects), default=0)
    if widest:
        return widest >= _LARGE
    around = model.function_of(found.call) or model.module
    return speaks_of(around, hints.VOCABULARY)


def _is_wanted(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a comment on the conversion says what it is for."""
    return any(code_words.WANTS_PRECISION.search(text) for text in comments_on(model.statement_of(call)))
