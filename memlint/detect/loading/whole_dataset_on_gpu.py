"""MEM408: a whole data set is moved to the GPU before mini-batches are taken from it."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge import data_hints, device_hints, libraries
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of
from memlint.analysis.training.hardware.devices import CUDA_STRING, may_use_cuda
from memlint.analysis.training.loops import batch_loops
from memlint.catalogue import Rule
from memlint.syntax.expressions import calls_in, literal, mentions, speaks_of
from memlint.syntax.tree import last_name

_DATASETS = ("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset")
_GRAPHS = ("torch_geometric", "dgl", "gpytorch", "botorch", "deepxde", "gym", "gymnasium", "torchdiffeq")
_LOOPS = (cst.For, cst.While, cst.BaseComp)
_GRIDS = ("linspace", "arange", "meshgrid", "eye", "tensor", "zeros_like")
_ARRAYS = frozenset({"random", "normal", "uniform", "standard_normal"})
_FEW = 16 << 20
"""Elements (64 MiB in float32) that fit beside any model."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Moves of a tensor to the GPU, outside of loops, that a TensorDataset or mini-batches are made of."""
    if not may_use_cuda(model) or model.imports(*_GRAPHS):
        return
    seen: set[cst.CSTNode] = set()
    for use, given in (*_in_datasets(model), *_in_batches(model)):
        for moved in _moves(model, given):
            if moved not in seen and model.owns(moved) and not _is_small(model, moved):
                seen.add(moved)
                owner = moved.func.value if isinstance(moved.func, cst.Attribute) else moved
                label = Label("batches come from here", use)
                yield Match(moved, {"data": model.short(owner)}, labels=(label,))


def _in_datasets(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """The tensors of data sets that hold tensors."""
    for event in calls_of(model, *_DATASETS):
        if isinstance(event.node, cst.Call) and model.owns(event.node):
            yield from ((event.node.func, arg.value) for arg in event.node.args if not arg.star)


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


def _is_small(model: ScriptModel, node: cst.BaseExpression, depth: int = 5) -> bool:
    """Whether data is known to be small, or of integers, by the code that makes it."""
    if speaks_of(node, data_hints.SMALL_DATA):
        return True
    for call in calls_in(node):
        name, method = last_name(call.func), isinstance(call.func, cst.Attribute)
        if (method and name in ("long", "int")) or (name in _GRIDS and model.path_of(call.func)):
            return True
        if 0 < _elements(model, call) < _FEW:
            return True
    names = [n for n in model.walk(node) if isinstance(n, cst.Name)] if depth else []
    return any(_is_small(model, value, depth - 1) for n in names for value in reaching_values(model, n))


def _elements(model: ScriptModel, call: cst.Call) -> int:
    """How many elements a call makes, where all sizes are numbers that the file gives; 0 for others."""
    makes = model.path_of(call.func).startswith(("torch.", "numpy."))
    if not makes or last_name(call.func) not in libraries.FACTORIES | _ARRAYS:
        return 0
    given = [arg.value for arg in call.args if arg.keyword is None or arg.keyword.value == "size"]
    if len(given) == 1 and isinstance(given[0], (cst.Tuple, cst.List)):
        given = [element.value for element in given[0].elements]
    sizes = [constant(model, value) for value in given]
    return prod(s for s in sizes if isinstance(s, int)) if all(isinstance(s, int) for s in sizes) else 0
