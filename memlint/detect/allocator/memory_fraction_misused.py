"""MEM504: a cap on the memory of the process that raises, comes too late, or is taken for a saving."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.execution_order import calls_of, ran_before
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import device_hints
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.cuda_starts import puts_on_cuda, starts
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.arguments import argument

_PATHS = (
    "torch.cuda.set_per_process_memory_fraction",
    "torch.cuda.memory.set_per_process_memory_fraction",
)
_ERRORS = frozenset({"TypeError", "ValueError", "RuntimeError"})
_SAVES = re.compile(
    r"\b(reduc\w*|sav(e|es|ing)|optimi[sz]\w*|lower\w*|decreas\w*|minimi[sz]\w*|cut(s|ting)?|shrink\w*|less|free\w*"
    r"|avoid\w*|prevent\w*)\b.{0,40}\b(memory|gpu|vram|oom|out[ -]of[ -]memory|usage|consumption|footprint)\b"
    r"|\b(memory|gpu|vram)\b.{0,20}\b(optimi[sz]ation|saving|reduction|efficien\w*)\b",
    re.IGNORECASE,
)
_CAPS = re.compile(
    r"\b(limit\w*|cap(s|ped)?|restrict\w*|at most|share[sd]?|sharing|leave\w*|other|budget|quota|max\w*"
    r"|only)\b",
    re.IGNORECASE,
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of set_per_process_memory_fraction that cannot do what they are meant for."""
    seen: set[cst.CSTNode] = set()
    for event in calls_of(model, *_PATHS):
        call = event.node
        if not isinstance(call, cst.Call) or call in seen or is_guarded(model, call, errors=_ERRORS):
            continue
        seen.add(call)
        value = argument(call, 0, "fraction")
        if value is not None:
            yield from _judge(model, event, call, value)


def _judge(model: ScriptModel, event: Called, call: cst.Call, value: cst.BaseExpression) -> Iterator[Match]:
    """A fraction that is an integer, outside of 0 to 1, set too late, or meant to save memory."""
    written = model.code(value)
    number = constant(model, value)
    if type(number) is int:
        direct = isinstance(value, cst.Integer) and number == 1
        plan = Plan(Applicability.SAFE, "write `1.0`", (Replace(value, "1.0"),)) if direct else None
        yield Match(call, {"value": written}, "integer", plans=(plan,) if plan else ())
        return
    if isinstance(number, float) and not 0 < number <= 1:
        yield Match(call, {"value": written}, "range")
        return
    before = next((e for e in _models_on_gpu(model) if ran_before(model, e, event) == "yes"), None)
    if before is not None:
        label = Label("on the GPU already", before.node)
        yield Match(call, {"value": written, "model": model.short(before.node)}, "late", (label,))
    elif _is_meant_to_save(model, call):
        yield Match(call, {"value": written})


def _models_on_gpu(model: ScriptModel) -> Iterator[Called]:
    """The calls that put a whole module on the device."""
    for event, _ in starts(model):
        owners = options_of(event.owner) if event.owner is not None else ()
        if puts_on_cuda(model, event) and any(isinstance(o, Ref) and o.obj.kind == "module" for o in owners):
            yield event


def _is_meant_to_save(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a comment beside the call, or the name of its function, takes the cap for a saving."""
    function = model.function_of(call)
    if function is not None and device_hints.SAVES_MEMORY.search(function.name.value):
        return True
    line = model.statement_of(call)
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    comments = [line.trailing_whitespace.comment, *(empty.comment for empty in line.leading_lines)]
    text = " ".join(comment.value.lstrip("# ") for comment in comments if comment is not None)
    return bool(_SAVES.search(text)) and not _CAPS.search(text)
