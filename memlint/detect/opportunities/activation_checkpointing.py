"""MEM801: blocks of a network run one after the other, and everything inside them is kept for backward."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import argument_source
from memlint.analysis.match import AddImport, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.uses.writes_in_place import argument_written_in_place
from memlint.catalogue import Rule
from memlint.detect.opportunities.trained_networks import may_train
from memlint.finding import Applicability
from memlint.syntax.arguments import listed_parameters
from memlint.syntax.expressions import words_of
from memlint.syntax.tree import methods

_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.Sequential"})
_LAYERS = "torch.nn."
_DEEP = frozenset({"torch.nn.TransformerEncoderLayer"})
"""Modules of torch that are blocks of several layers; its others are single layers."""

_CHECKPOINT = "torch.utils.checkpoint.checkpoint"
_DONE = frozenset({
    "checkpoint_sequential", "gradient_checkpointing", "gradient_checkpointing_enable", "use_checkpoint",
    "apply_activation_checkpointing", "checkpoint_wrapper", "grad_checkpointing", "activation_checkpointing",
    "GradientCheckpointingLayer",
})  # fmt: skip
_OTHERWISE = frozenset({"script", "compile_mode", "saved_tensors_hooks", "save_on_cpu", "jit"})
_CAUTION = "each block runs once more in backward; what it prints, counts or caches there happens twice"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loops over a list of modules whose body hands one value from block to block."""
    if model.identifiers & (_DONE | _OTHERWISE) or any("BatchNorm" in name for name in model.identifiers):
        return
    if model.names.references(_CHECKPOINT) or not may_train(model):
        return
    for call in model.names.calls:
        loop = _loop_of(model, call)
        if loop is None or stands_in_unit_test(model, call) or not _repeats(model, loop.iter):
            continue
        given = ", ".join(argument_source(model, arg) for arg in call.args)
        torch = torch_name(model, call)
        imports = () if torch else (AddImport("import torch"),)
        block = model.code(call.func)
        name = _CHECKPOINT.replace("torch", torch or "torch", 1)
        change = Replace(call, f"{name}({block}, {given}, use_reentrant=False)")
        title = f"run each `{block}` under torch.utils.checkpoint"
        plan = Plan(Applicability.UNSAFE, title, (*imports, change), _CAUTION)
        yield Match(call, {"block": block, "blocks": model.short(loop.iter)}, plans=(plan,))


def _loop_of(model: ScriptModel, call: cst.Call) -> cst.For | None:
    """The loop `for block in self.blocks:` in whose body a call is the statement `x = block(x)`."""
    if not isinstance(call.func, cst.Name) or not call.args or any(arg.star for arg in call.args):
        return None
    assign = model.parent(call)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target, first = assign.targets[0].target, call.args[0]
    if not isinstance(target, cst.Name) or not isinstance(first.value, cst.Name) or first.keyword is not None:
        return None
    line = model.parent(assign)
    body = model.parent(line) if isinstance(line, cst.SimpleStatementLine) else None
    loop = model.parent(body) if isinstance(body, cst.IndentedBlock) else None
    if target.value != first.value.value or not isinstance(loop, cst.For) or loop.body is not body:
        return None
    block = call.func.value
    if not isinstance(loop.target, cst.Name) or loop.target.value != block:
        return None
    uses = [name for name in model.every(cst.Name, loop.body) if name.value == block]
    return loop if len(uses) == 1 and model.class_of(call) is not None else None


def _repeats(model: ScriptModel, iterated: cst.BaseExpression) -> bool:
    """Whether what is iterated is a list of modules of one class of several layers, as far as seen."""
    if not isinstance(iterated, cst.Attribute):
        return False
    made = [source.node for source in value_sources(model, iterated)]
    calls = [node for node in made if isinstance(node, cst.Call) and model.path_of(node.func) in _LISTS]
    return bool(calls) and len(calls) == len(made) and all(_of_blocks(model, call) for call in calls)


def _of_blocks(model: ScriptModel, call: cst.Call) -> bool:
    if len(call.args) != 1:
        return False
    items = call.args[0].value
    if not isinstance(items, (cst.ListComp, cst.GeneratorExp)) or not isinstance(items.elt, cst.Call):
        return False
    path = model.path_of(items.elt.func)
    return path in _DEEP or not (path.startswith(_LAYERS) or _differs_again(model, items.elt.func))


def _differs_again(model: ScriptModel, block: cst.BaseExpression) -> bool:
    """Whether a second run of a block gives something else: it writes to its input, or updates statistics."""
    classes = [found for found in definitions_meant(model, block) if isinstance(found, cst.ClassDef)]
    if any("BatchNorm" in word for c in classes for word in words_of(c)):
        return True
    runs = [method for c in classes for method in methods(c) if method.name.value == "forward"]
    given = (param for run in runs for param in listed_parameters(run)[1:])
    return any(argument_written_in_place(model, param) == "yes" for param in given)
