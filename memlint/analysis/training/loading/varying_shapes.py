"""Where batches get another shape at each step: padding to the longest sample, sizes drawn at random."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.worker_code import pieces
from memlint.analysis.training.loading.workers import loaders
from memlint.analysis.training.loops import batch_loops
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import literal, speaks_of
from memlint.syntax.tree import last_name

_PAD_SEQUENCE = ("torch.nn.utils.rnn.pad_sequence",)
_RESIZES = ("torch.nn.functional.interpolate", "torch.nn.functional.upsample")
_RANDOM = ("random.", "numpy.random.", "torch.rand")


def varying_shapes(model: ScriptModel) -> dict[cst.Call, cst.CSTNode | None]:
    """The calls that give the batches of training another shape at nearly every step.

    With each that stands in a collate function goes the loader that was given it.
    """
    loops = {loop.node for loop, kind in batch_loops(model).items() if kind == "training"}
    found: dict[cst.Call, cst.CSTNode | None] = {}
    for loader in loaders(model):
        for piece in pieces(model, loader):
            if piece.role == "collate":
                calls = (n for n in model.walk(piece.function) if type(n) is cst.Call)
                found.update({call: loader.node for call in calls if _varies(model, call)})
    for call in (call for names in model.all_names() for call in names.calls):
        inside = any(above in loops for above in model.ancestors(call))
        if inside and call not in found and _varies(model, call):
            found[call] = None
    return found


def _varies(model: ScriptModel, call: cst.Call) -> bool:
    path = model.path_of(call.func)
    if path in _PAD_SEQUENCE:
        return keyword(call, "total_length") is None
    return _is_random(model, call) if path in _RESIZES else _pads_to_longest(call)


def _pads_to_longest(call: cst.Call) -> bool:
    """`tokenizer(texts, padding=True)`, without a multiple to pad to."""
    owner = call.func.value if isinstance(call.func, cst.Attribute) else call.func
    asked = keyword(call, "padding")
    if asked is None or keyword(call, "pad_to_multiple_of") is not None:
        return False
    return speaks_of(owner, hints.TOKENIZER) and literal(asked) in (True, "longest")


def _is_random(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the size of a resized batch is drawn at random: training at several scales."""
    for name, position in (("size", 1), ("scale_factor", 2)):
        given = argument(call, position, name)
        sources = [s.node for s in value_sources(model, given)] if given is not None else []
        calls = (n for s in sources for n in model.walk(s) if isinstance(n, cst.Call))
        if any(model.path_of(c.func).startswith(_RANDOM) for c in calls):
            return True
    return False


def benchmark_switch(model: ScriptModel) -> cst.Assign | None:
    """`torch.backends.cudnn.benchmark = True`, with which cuDNN tunes again for each new shape."""
    for node in model.names.every(cst.Assign):
        target = node.targets[0].target
        if last_name(target) != "benchmark" or literal(node.value) is not True:
            continue
        if model.path_of(target) == "torch.backends.cudnn.benchmark":
            return node
    return None
