"""Training data that is filled up to one length, whatever a batch would need."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.guards import stands_behind
from memlint.analysis.knowledge import data_hints, hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of_class
from memlint.analysis.training.hf_trainer import trainings
from memlint.analysis.training.loops import over_loader
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.detect.loading.padding_places import Padding, padding_places
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal, speaks_of
from memlint.syntax.tree import last_name

_SHAPES = ("view", "reshape", "expand")
_COMPILES = ("torch.compile", "torch.jit.trace", "torch.cuda.CUDAGraph", "torch.cuda.graphs.CUDAGraph")
_PACKAGES = ("torch_xla", "diffusers", "open_clip", "clip", "optimum", "onnxruntime", "jax", "flax", "vllm")
_ONE_LENGTH = frozenset({"Embedding", "pad", "TransformerEncoderLayer"})
"""What may be told the longest length and takes shorter sequences as well."""

_SHORT = 64
"""Tokens up to which padding is a small matter."""


def paddings(model: ScriptModel) -> Iterator[Padding]:
    """The places of a file that pad training data to one length, where the model takes shorter ones."""
    if _has_one_shape(model):
        return
    for found in padding_places(model):
        node = found.node
        if 0 < found.length <= _SHORT or (found.limit is not None and _is_needed(model, found.limit)):
            continue
        # Sequences are filled up for many reasons: by hand, only data that is prepared counts.
        if found.how == "by-hand" and not _prepares_data(model, node):
            continue
        here = _feeds_training(model, node) and not stands_in_unit_test(model, node)
        if here and not _is_for_accelerator(model, node):
            yield found


def _has_one_shape(model: ScriptModel) -> bool:
    """Whether batches must have one shape: the file compiles or exports its model, or runs on TPUs."""
    if model.imports(*_PACKAGES) or any(model.names.references(path) for path in _COMPILES):
        return True
    return any(hints.STATIC_SHAPES.search(name) for name in model.identifiers)


def _is_needed(model: ScriptModel, limit: cst.BaseExpression) -> bool:
    """Whether a layer or a tensor of the file is made for this length, or a view counts on it."""
    name = last_name(limit)
    if not name:
        return False
    for node in model.names.every(cst.Name):
        if node.value != name or isinstance(model.parent(node), cst.Param):
            continue
        if _shapes_a_tensor(model, node):
            return True
    return False


def is_counted_on(model: ScriptModel, found: Padding) -> bool:
    """Whether the number that texts are padded to is also one that shapes a layer or a tensor of the file."""
    numbers = (n for n in model.names.every(cst.Integer) if literal(n) == found.length > 0)
    return any(_shapes_a_tensor(model, number) for number in numbers)


def _shapes_a_tensor(model: ScriptModel, node: cst.CSTNode) -> bool:
    calls = (
        c for c in model.ancestors(node) if isinstance(c, cst.Call) and last_name(c.func) not in _ONE_LENGTH
    )
    return any(model.path_of(c.func).startswith("torch.") or last_name(c.func) in _SHAPES for c in calls)


def _prepares_data(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether code gives a sample of a data set, or puts a batch together."""
    owner, function = model.class_of(node), model.function_of(node)
    if owner is not None and role_of_class(model, owner) == "dataset":
        return True
    return function is not None and _collates(model, function)


def _collates(model: ScriptModel, function: cst.FunctionDef) -> bool:
    if data_hints.COLLATE_FUNCTION.search(function.name.value):
        return True
    given = (keyword(call, "collate_fn") for call in model.names.calls)
    return any(g is not None and definition(model, g) is function for g in given)


def _feeds_training(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether what a place prepares is trained on, as far as the file shows."""
    for above in model.ancestors(node):
        name = above.name.value if isinstance(above, cst.FunctionDef) else ""
        if name and (naming.evaluates(name) or naming.infers(name)):
            return False
    if _prepares_data(model, node) or any(True for _ in trainings(model)):
        return True
    return bool(model.trace.backwards and model.trace.steps) or "training_step" in model.identifiers


def _is_for_accelerator(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a place is the branch for devices that want one shape, or for a flag that asks for it."""
    return stands_behind(model, node, lambda test: speaks_of(test, hints.STATIC_SHAPES))


def takes_whole_batch(model: ScriptModel, found: Padding) -> bool:
    """Whether a call pads the texts of one batch together: a collator, or in the loop over a loader."""
    if found.how == "collator":
        return True
    function = model.function_of(found.node)
    if function is not None and _collates(model, function):
        return not any(isinstance(above, (cst.For, cst.BaseComp)) for above in model.ancestors(found.node))
    loops = [above for above in model.ancestors(found.node) if isinstance(above, (cst.For, cst.BaseComp))]
    return len(loops) > 0 and any(over_loader(x) and x.node is loops[0] for x in model.trace.loops.values())
