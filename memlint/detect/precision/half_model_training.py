"""MEM301: a model converted to float16 is trained without float32 master weights."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import libraries
from memlint.analysis.match import (
    Change,
    InsertAfter,
    InsertBefore,
    Label,
    Match,
    Plan,
    Remove,
    Replace,
    Wrap,
)
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import statements

# Words that say that the script keeps float32 master weights, or trains adapters on a frozen base.
_MASTERS = frozenset(
    "FP16_Optimizer master_params prep_param_lists master_weights model_params_to_master_params "
    "BF16_Optimizer FP16Optimizer master_param_groups fp32_params get_peft_model PeftModel LoraConfig "
    "convert_module_to_f32 prepare_model_for_kbit_training MixedPrecisionTrainer".split()
)
_CAUTION = "training changes, and autocast needs more memory than a half model"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Casts of modules to half precision whose parameters an optimizer then steps."""
    if model.identifiers & _MASTERS or model.imports("deepspeed", "peft", "bitsandbytes", "fairscale"):
        return
    seen: set[int] = set()
    for (cast, owner), (dtype, optimizer) in model.trace.half_steps.items():
        if owner in model.trace.raised or cast in seen:
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
    ):
        return model.short(node.func.value)
    statement = model.parent(node)
    if isinstance(statement, cst.Assign):
        return model.short(statement.targets[0].target)
    return "the model"


def _plans(model: ScriptModel, node: cst.CSTNode, optimizer: Obj) -> Iterator[Plan]:
    amp = _autocast_plan(model, node, optimizer)
    if amp is not None:
        yield amp
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "half":
        # Inputs that are cast to half by hand would no longer match the parameters.
        alone = model.text.count("half()") + model.text.count("float16") == 1
        yield Plan(
            Applicability.UNSAFE if alone else Applicability.DISPLAY,
            "use `.bfloat16()`",
            (Replace(node, f"{model.code(node.func.value)}.bfloat16()"),),
            "bfloat16 does not overflow, but it still loses small updates",
        )


def _autocast_plan(model: ScriptModel, node: cst.CSTNode, optimizer: Obj) -> Plan | None:
    """float32 parameters, autocast around forward and loss, and a scaler: for the one plain loop only."""
    trace = model.trace
    steps = [s for s in trace.steps.values() if s.optimizer is optimizer]
    if len(steps) != 1 or len({id(s.node) for s in trace.steps.values()}) != 1:
        return None
    backwards = {id(b.node): b for b in trace.backwards.values()}
    forwards = {
        id(f.node): f
        for f in trace.forwards.values()
        if any(f.ids & b.ids or f.ids & trace.backed for b in backwards.values())
    }
    if len(backwards) != 1 or len(forwards) != 1 or not _on_cuda(model):
        return None
    backward, forward, step = next(iter(backwards.values())), next(iter(forwards.values())), steps[0]
    lines = [model.statement_of(x.node) for x in (forward, backward, step)]
    suite = model.parent(lines[0]) if lines[0] is not None else None
    if suite is None or any(line is None or model.parent(line) is not suite for line in lines):
        return None
    changes = _amp_changes(model, suite, lines, backward.node, step.code, node)
    return (
        Plan(Applicability.UNSAFE, "train with autocast and a GradScaler", changes, _CAUTION)
        if changes
        else None
    )


def _amp_changes(
    model: ScriptModel,
    suite: cst.CSTNode,
    lines: list[cst.BaseStatement | cst.BaseSmallStatement | None],
    backward: cst.CSTNode,
    optimizer: str,
    cast: cst.CSTNode,
) -> tuple[Change, ...]:
    body = statements(suite)
    first, last, step = (body.index(line) for line in lines)
    outer = _outermost_loop(model, body[first])
    if not _belongs_together(model, cast, body[first]):
        return ()
    uncast = _without_cast(model, cast)
    if not first < last < step or outer is None or uncast is None:
        return ()
    inside = [s for s in body[first:last] if "zero_grad" not in model.code(s)]
    wrapped = tuple(s for s in inside if isinstance(s, cst.BaseStatement))
    if (
        wrapped != tuple(body[first : first + len(wrapped)])
        or not isinstance(backward, cst.Call)
        or not isinstance(backward.func, cst.Attribute)
    ):
        return ()
    changes: list[Change] = [
        uncast,
        InsertBefore(outer, 'scaler = torch.amp.GradScaler("cuda")'),
        Wrap(wrapped, 'with torch.autocast("cuda", dtype=torch.float16):'),
        Replace(backward, f"scaler.scale({model.code(backward.func.value)}).backward()"),
    ]
    clips = [s for s in body[last:step] if "clip_grad" in model.code(s)]
    if clips:
        changes.append(InsertBefore(clips[0], f"scaler.unscale_({optimizer})"))
    line = lines[2]
    assert isinstance(line, cst.SimpleStatementLine)
    call = next(s.value for s in line.body if isinstance(s, cst.Expr))
    return (*changes, Replace(call, f"scaler.step({optimizer})"), InsertAfter(line, "scaler.update()"))


def _belongs_together(model: ScriptModel, cast: cst.CSTNode, forward: cst.CSTNode) -> bool:
    """Whether the cast is unconditional, in the function of the loop, and the only half in the file."""
    conditional = any(isinstance(above, (cst.If, cst.IfExp)) for above in model.ancestors(cast))
    once = model.text.count("half()") + model.text.count("float16") == 1
    return not conditional and once and model.function_of(cast) is model.function_of(forward)


def _outermost_loop(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    found = None
    for above in model.ancestors(node):
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(above, (cst.For, cst.While)):
            found = above
    return found


def _without_cast(model: ScriptModel, node: cst.CSTNode) -> Change | None:
    if (
        not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
        or node.func.attr.value != "half"
    ):
        return None
    owner = model.code(node.func.value)
    parent = model.parent(node)
    line = model.statement_of(node)
    alone = isinstance(parent, cst.Expr) or (
        isinstance(parent, cst.Assign)
        and len(parent.targets) == 1
        and model.code(parent.targets[0].target) == owner
    )
    if alone and line is not None:
        return Remove(line)
    return Replace(node, owner)


def _on_cuda(model: ScriptModel) -> bool:
    return "cuda" in model.text and bool(model.names.module_scope.imports.get("torch"))
