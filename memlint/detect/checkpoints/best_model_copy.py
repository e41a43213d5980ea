"""MEM704: the best weights are kept as an alias of the live ones, or as a second copy on the GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.dataflow.definitions import definitions_by
from memlint.analysis.knowledge import code_words, hints
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import object_of
from memlint.analysis.training.sizing.modules import is_probe
from memlint.catalogue import Rule
from memlint.detect.checkpoints.best_of_several import goes_on
from memlint.detect.checkpoints.kept_weights import KeptWeights, stored, weights_of
from memlint.detect.checkpoints.later_reads import is_used
from memlint.detect.checkpoints.restored_weights import is_only_restored, state_in
from memlint.finding import Applicability
from memlint.syntax.expressions import place, speaks_of
from memlint.syntax.names import Names
from memlint.syntax.tree import last_name

_FOR_CPU = re.compile(r"device\s*(:\s*[\w.| ]+)?=\s*(torch\.device\()?[\"']cpu[\"']")
_MOVED = re.compile(r"\.cuda\(|\.to\((?!\s*torch\.(float|half|bfloat|int|long))")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Weights stored as the best so far in code that goes on training them, those of one place together."""
    found = list(_found(model))
    for kept, variant in found:
        match, where = _match(model, kept, variant), _where(model, kept)
        same = [other.value for other, _ in found if where is not None and _where(model, other) == where]
        yield replace(match, causes=tuple((node,) for node in same)) if len(same) > 1 else match


def _where(model: ScriptModel, kept: KeptWeights) -> tuple[cst.CSTNode, str] | None:
    """The class and the attribute, or the function and the variable, that keep the weights; else None."""
    name = place(kept.target)
    owner = model.class_of(kept.value) if name.startswith("self.") else model.function_of(kept.value)
    return (owner, name) if owner is not None and name else None


def _found(model: ScriptModel) -> Iterator[tuple[KeptWeights, str]]:
    """The kept weights, each with the variant of the finding."""
    for node, names in (*_calls(model), *_models(model)):
        owner, how = weights_of(model, names, node)
        kept = stored(model, node, owner, how) if owner is not None else None
        if kept is None or not _is_reached(model, node) or not goes_on(model, node, kept):
            continue
        if kept.how == "alias" and (kept.appended or is_used(model, kept)):
            yield kept, "appended" if kept.appended else "default"
        elif kept.how == "copy" and _is_on_gpu(model, kept):
            yield kept, "snapshots" if kept.appended else "copied"


def _calls(model: ScriptModel) -> Iterator[tuple[cst.Call, Names]]:
    """The calls of this file, and of others that its code leads to, each with the names of its module."""
    for names in model.all_names() if model.trace.calls else (model.names,):
        for call in names.calls:
            yield call, names


def _models(model: ScriptModel) -> Iterator[tuple[cst.BaseExpression, Names]]:
    """The names of models that this file binds to a name for the best one: `best_model = model`."""
    for line in model.names.every(cst.Assign):
        for target, found in definitions_by(line):
            value = found.node if found.kind == "value" else None
            if isinstance(value, (cst.Name, cst.Attribute)) and hints.BEST_MODEL.search(last_name(target)):
                yield value, model.names


def _is_reached(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether a call stands in this file, or in a function of another one that this file's code leads to."""
    return model.owns(node) or id(model.function_of(node)) in model.machine.visited


def _match(model: ScriptModel, kept: KeptWeights, variant: str) -> Match:
    """The match for kept weights, with a copy on the CPU as the fix where a state dict is kept as it is."""
    values = {"target": model.short(kept.target), "model": model.short(kept.owner)}
    if kept.value is kept.owner:
        return Match(kept.value, values, variant, no_fix=f"what reads `{values['target']}` wants a model")
    state = state_in(kept.value)
    if state is None:
        return Match(kept.value, values, variant)
    if "get_extra_state" in model.identifiers:
        return Match(kept.value, values, variant, no_fix="the state may hold more than tensors")
    restored = is_only_restored(model, kept)
    if not restored and kept.how == "copy":
        reason = f"what reads `{values['target']}` may need it on the GPU"
        return Match(kept.value, values, variant, no_fix=reason)
    copied = "v.detach().cpu().clone()" if restored else "v.detach().clone()"
    plan = Plan(
        Applicability.UNSAFE,
        "keep a copy on the CPU" if restored else "keep a copy",
        (Replace(state, f"{{k: {copied} for k, v in {model.code(kept.owner)}.state_dict().items()}}"),),
        "this changes which weights are restored: it corrects a bug"
        if kept.how == "alias"
        else "the copy then lies on the CPU; each one waits for the GPU",
    )
    return Match(kept.value, values, variant, plans=(plan,))


def _is_on_gpu(model: ScriptModel, kept: KeptWeights) -> bool:
    """Whether the file moves its model, or anything, to a device other than the CPU, and it is no probe."""
    made = object_of(model, kept.owner)
    if made is not None and is_probe(model, made):
        return False
    if speaks_of(model.statement_of(kept.value) or kept.value, code_words.ON_CPU):
        return False
    text = model.text
    if _FOR_CPU.search(text) and "cuda" not in text:
        return False
    return bool(_MOVED.search(text))
