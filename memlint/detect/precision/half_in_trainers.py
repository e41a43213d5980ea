"""Models in float16 that the Trainer of transformers trains: it steps their float16 weights as they are."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import expressions_behind
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hf_trainer import Training, trainings
from memlint.syntax.arguments import keyword, keywords
from memlint.syntax.expressions import is_text
from memlint.syntax.tree import last_name

_KEEPS_MASTERS = frozenset({"deepspeed", "fsdp", "fsdp_config", "accelerator_config"})
"""Arguments of a training through which the weights may be kept in float32 as well."""

_QUANTIZED = frozenset({"quantization_config", "load_in_8bit", "load_in_4bit"})


def half_in_trainers(model: ScriptModel) -> Iterator[tuple[cst.Call, Training]]:
    """Each call that gives a model in float16 which a Trainer of the file trains, with that Trainer.

    Nothing is said where the arguments of the training are out of view, or where weights may be frozen.
    """
    if "requires_grad" in model.text:
        return
    for training in trainings(model):
        arguments, given = training.arguments, training.given.get("model")
        if arguments is None or given is None or "peft_config" in training.given:
            continue
        if any(arg.star for arg in arguments.args) or keywords(arguments) & _KEEPS_MASTERS:
            continue
        sources = expressions_behind(model, given.value)
        if len(sources) == 1 and _is_trained(model, training):
            cast = sources[0]
            if isinstance(cast, cst.Call) and _gives_half(model, cast):
                yield cast, training


def _is_trained(model: ScriptModel, training: Training) -> bool:
    """Whether the file calls `train()` on the Trainer: others only predict with it."""
    started = (c.func.value for c in model.names.calls if _is_method(c, "train"))  # type: ignore[attr-defined]
    return any(training.call in expressions_behind(model, owner) for owner in started)


def _is_method(call: cst.Call, name: str) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == name


def _gives_half(model: ScriptModel, call: cst.Call) -> bool:
    if _is_method(call, "half"):
        return not call.args
    if _is_method(call, "to"):
        return any(_is_float16(model, arg.value) for arg in call.args)
    asked = keyword(call, "dtype") or keyword(call, "torch_dtype")
    loads = last_name(call.func) == "from_pretrained" and not keywords(call) & _QUANTIZED
    return loads and asked is not None and _is_float16(model, asked)


def _is_float16(model: ScriptModel, dtype: cst.BaseExpression) -> bool:
    return is_text(dtype, "float16") or model.names.one(dtype) in ("torch.float16", "torch.half")
