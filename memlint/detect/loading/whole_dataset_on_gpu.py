"""MEM408: a whole data set is moved to the GPU before mini-batches are taken from it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.functions import assigned_in, method
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge import data_hints, device_hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of, role_of_class
from memlint.analysis.training.hardware.devices import CUDA_STRING, may_use_cuda
from memlint.analysis.training.loops import batch_loops
from memlint.catalogue import Rule
from memlint.detect.loading.small_data import is_small
from memlint.syntax.expressions import literal, mentions
from memlint.syntax.tree import last_name

_DATASETS = ("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset")
_GRAPHS = ("torch_geometric", "dgl", "gpytorch", "botorch", "deepxde", "gym", "gymnasium", "torchdiffeq")
_LOOPS = (cst.For, cst.While, cst.BaseComp)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Moves of a tensor to the GPU, outside of loops, that a TensorDataset or mini-batches are made of."""
    if not may_use_cuda(model) or model.imports(*_GRAPHS):
        return
    seen: set[cst.CSTNode] = set()
    for use, given in (*_in_datasets(model), *_in_items(model), *_in_batches(model)):
        for moved in _moves(model, given):
            if moved not in seen and model.owns(moved) and not is_small(model, moved):
                seen.add(moved)
                owner = moved.func.value if isinstance(moved.func, cst.Attribute) else moved
                label = Label("batches come from here", use)
                yield Match(moved, {"data": model.short(owner)}, labels=(label,))


def _in_datasets(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """The tensors of data sets that hold tensors."""
    for event in calls_of(model, *_DATASETS):
        if isinstance(event.node, cst.Call) and model.owns(event.node):
            yield from ((event.node.func, arg.value) for arg in event.node.args if not arg.star)


def _in_items(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """What data sets of the file keep and cut their items out of: `self.x[index]`."""
    for owner in model.names.every(cst.ClassDef):
        getter = method(model, owner, "__getitem__")
        if getter is None or role_of_class(model, owner) != "dataset" or len(getter.params.params) < 2:
            continue
        index = getter.params.params[1].name.value
        for part in model.names.every(cst.Subscript, getter.body):
            if isinstance(part.value, cst.Attribute) and any(mentions(e, index) for e in part.slice):
                yield part, part.value


def _in_batches(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """What training loops cut a part out of with each iteration: `x[order[i : i + n]]`."""
    loops = {loop.node for loop, kind in batch_loops(model).items() if kind == "training"}
    for loop in loops:
        if not model.owns(loop) or not isinstance(loop, (cst.For, cst.While)):
            continue
        changing = assigned_in(model, loop)
        for part in model.names.every(cst.Subscript, loop.body):
            if isinstance(part.value, cst.Name) and any(mentions(e, *changing) for e in part.slice):
                yield part, part.value


def _moves(model: ScriptModel, given: cst.BaseExpression) -> Iterator[cst.Call]:
    """The calls outside of loops that moved a tensor of real numbers to the GPU."""
    values = reaching_values(model, given) if isinstance(given, (cst.Name, cst.Attribute)) else [given]
    if last_name(given) and data_hints.SMALL_FILE.search(last_name(given)):
        return
    for value in values:
        if isinstance(value, cst.Call) and _is_move(model, value) and not _is_repeated(model, value):
            owner = value.func.value if isinstance(value.func, cst.Attribute) else value
            if (role := role_of(model, owner)) is None or role.kind != "module":
                yield value


def _is_repeated(model: ScriptModel, node: cst.CSTNode) -> bool:
    return any(isinstance(above, _LOOPS) for above in model.ancestors(node))


def _is_move(model: ScriptModel, call: cst.Call) -> bool:
    name = last_name(call.func) if isinstance(call.func, cst.Attribute) else ""
    if name == "cuda":
        return not model.path_of(call.func)
    target = call.args[0].value if name == "to" and call.args else None
    text = literal(target) if target is not None else None
    if isinstance(text, str):
        return CUDA_STRING.match(text) is not None
    return target is not None and device_hints.DEVICE_VARIABLE.search(last_name(target)) is not None
