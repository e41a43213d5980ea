"""MEM115: an out-of-memory error is answered inside its handler, while its traceback holds every tensor."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.knowledge import code_words
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.oom_conditions import answers_other_errors
from memlint.detect.retention.oom_handlers import Handler, first_work, handlers, retried_work
from memlint.detect.retention.oom_retry_fix import retried_after
from memlint.detect.retention.stored_exceptions import stored_exception
from memlint.syntax.expressions import speaks_of


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Handlers of tensor work that do such work again, or store the exception."""
    for handler in handlers(model):
        retry = retried_work(model, handler)
        speaks = _is_about_memory(model, handler)
        if retry is not None and speaks and not answers_other_errors(model, handler, retry):
            values = {"work": model.short(retry)}
            labels = (
                Label(
                    "until this handler ends, the exception holds what the failed try had made", handler.node
                ),
            )
            plan = retried_after(model, handler, retry)
            yield Match(retry, values, labels=labels, plans=(plan,) if plan is not None else ())
            continue
        # Who speaks of memory knows that the block works on a device, whatever it calls.
        works = speaks or first_work(model, handler.block.body) is not None
        kept = stored_exception(model, handler) if works else None
        if kept is not None:
            values = {"work": model.short(kept[1]), "error": handler.name or "the exception"}
            yield Match(kept[0], values, "stored" if speaks else "stored-other")


def _is_about_memory(model: ScriptModel, handler: Handler) -> bool:
    """Whether a handler is there for running out of memory: its type, its words or its condition say so."""
    return speaks_of(handler.node, code_words.OUT_OF_MEMORY)
