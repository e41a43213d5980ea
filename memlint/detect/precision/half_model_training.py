"""MEM301: a model converted to float16 is trained without float32 master weights."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.knowledge import libraries
from memlint.analysis.match import (
    Label,
    Match,
    Plan,
    Replace,
)
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, Obj
from memlint.catalogue import Rule
from memlint.detect.precision.amp_rewrite import autocast_plan
from memlint.detect.precision.half_casts import is_only_half
from memlint.detect.precision.half_in_trainers import half_in_trainers
from memlint.finding import Applicability
from memlint.syntax.tree import last_name

# Words that say that the script keeps float32 master weights, or trains adapters on a frozen base.
_MASTERS = frozenset(
    "FP16_Optimizer master_params prep_param_lists master_weights model_params_to_master_params "
    "BF16_Optimizer FP16Optimizer master_param_groups fp32_params get_peft_model PeftModel LoraConfig "
    "convert_module_to_f32 prepare_model_for_kbit_training MixedPrecisionTrainer "
    "DistributedFusedLAMB DistributedFusedAdam".split()
)

_LOSES = "bfloat16 does not overflow, but it still loses small updates"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Casts of modules to half precision whose parameters an optimizer then steps."""
    if _is_cast_by_accelerate(model):
        return
    if model.identifiers & _MASTERS or model.imports("deepspeed", "peft", "bitsandbytes", "fairscale"):
        return
    seen: set[int] = set()
    for (cast, owner), (dtype, optimizer) in model.trace.half_steps.items():
        if owner in model.trace.raised_to_float32 or cast in seen:
            continue
        seen.add(cast)
        node = model.trace.casts[cast]
        yield Match(
            node,
            {"model": _module_name(model, node), "optimizer": _optimizer_name(optimizer)},
            _variant(model, dtype, optimizer),
            _labels(optimizer),
            plans=tuple(_plans(model, node, optimizer)) if dtype == "float16" else (),
        )
    for node, training in half_in_trainers(model):
        label = Label("trained here", training.call)
        values = {"model": _module_name(model, node), "optimizer": training.name}
        yield Match(node, values, "trainer", (label,))


def _is_cast_by_accelerate(model: ScriptModel) -> bool:
    """Whether accelerate trains with FSDP in mixed precision: it keeps the parameters in float32."""
    asked = {"FullyShardedDataParallelPlugin", "mixed_precision"} <= model.identifiers
    return asked and model.imports("accelerate")


def _variant(model: ScriptModel, dtype: str, optimizer: Obj) -> str:
    if dtype == "bfloat16":
        return "bfloat16"
    eps = optimizer.args.get("eps", optimizer.args.get("3"))
    # A scaler raises at its first unscale_, and an eps that float16 can hold keeps Adam finite.
    if (eps is not None and eps != Const(1e-8)) or any(s.through_scaler for s in model.trace.steps.values()):
        return "unknown"
    if libraries.ADAM_LIKE.search(optimizer.path):
        return "default"
    return "sgd" if optimizer.path.endswith("SGD") else "unknown"


def _labels(optimizer: Obj) -> tuple[Label, ...]:
    if optimizer.node is None:
        return ()
    return (Label("its parameters are stepped in half precision by this optimizer", optimizer.node),)


def _optimizer_name(optimizer: Obj) -> str:
    return optimizer.path.rpartition(".")[2] or optimizer.name or "the optimizer"


def _module_name(model: ScriptModel, node: cst.CSTNode) -> str:
    if (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and not node.func.attr.value.startswith("from_")
        and not isinstance(node.func.value, cst.Call)
    ):
        return model.short(node.func.value)
    statement = model.parent(node)
    if isinstance(statement, cst.Assign):
        return model.short(statement.targets[0].target)
    return "the model"


def _plans(model: ScriptModel, node: cst.CSTNode, optimizer: Obj) -> Iterator[Plan]:
    """Autocast where the loop is plain enough, and bfloat16 parameters."""
    amp = autocast_plan(model, node, optimizer)
    if amp is not None:
        yield amp
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "half":
        # Inputs that are cast to half by hand would not match the parameters, and NumPy has no bfloat16.
        alone = is_only_half(model) and "numpy" not in {last_name(call.func) for call in model.names.calls}
        yield Plan(
            Applicability.UNSAFE if alone else Applicability.DISPLAY,
            "use `.bfloat16()`",
            (Replace(node, f"{indented(model, node, node.func.value)}.bfloat16()"),),
            _LOSES if alone else f"{_LOSES}; what else is float16 or goes to NumPy has to be cast as well",
        )
