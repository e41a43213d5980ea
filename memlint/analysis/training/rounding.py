"""Whether a network computes the same with and without grad mode.

Measured with torch 2.13 on the CPU: nn.LSTM, nn.MultiheadAttention and the Transformer layers take another
path under no_grad (a fused kernel, the "fast path" in evaluation mode) and round differently; linear,
convolution, normalisation, GRU, RNN and the losses do not. A network that cannot be seen may hold either, and
one may ask for the mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Class, ClassInfo, Obj, Ref, Value, options_of
from memlint.syntax.expressions import UNKNOWN, literal

_UNSTABLE = pattern(
    r"(LSTM|MultiheadAttention|Transformer|linalg|svd|scaled_dot_product|is_grad_enabled|is_inference_mode_enabled)"
)
_CONVOLUTIONAL = pattern(
    r"^torchvision\.models\.(\w+\.)*(resnet|vgg|alexnet|densenet|squeezenet|mobilenet|shufflenet|resnext|wide_resnet|googlenet|inception|mnasnet|efficientnet|regnet)\w*$",
    re.IGNORECASE,
)
_KNOWN = ("torch.", "torchvision.models.", "math.", "numpy.", "functools.", "collections.", "typing.")


def rounds_alike(model: ScriptModel, module: Value) -> bool:
    """Whether the module is visible down to layers that round the same under no_grad."""
    if any(_UNSTABLE.search(name) for name in model.identifiers):
        return False
    return all(isinstance(o, Ref) and _known(model, o.obj) for o in options_of(module))


def keeps_what_it_makes(model: ScriptModel, module: Value) -> bool:
    """Whether a class of the module leaves values on its object outside `__init__`: a later backward may run
    through what was made with a graph there."""
    return any(_leaves_values(model, info) for info in _classes(module))


def _classes(module: Value) -> Iterator[ClassInfo]:
    """The classes of a module and of what it wraps, with their bases."""
    for option in options_of(module):
        if not isinstance(option, Ref):
            continue
        if option.obj.cls is not None:
            yield from _with_bases(option.obj.cls)
        whole = option.obj.args.get("of")
        if whole is not None:
            yield from _classes(whole)


def _with_bases(info: ClassInfo) -> Iterator[ClassInfo]:
    yield info
    for base in info.bases:
        if isinstance(base, Class):
            yield from _with_bases(base.info)


def _leaves_values(model: ScriptModel, info: ClassInfo) -> bool:
    kept = (
        assign
        for name, method in info.methods.items()
        if name != "__init__"
        for assign in model.every(cst.Assign, method)
    )
    return any(
        isinstance(target.target, cst.Attribute) and literal(assign.value) is UNKNOWN
        for assign in kept
        for target in assign.targets
    )


def _known(model: ScriptModel, obj: Obj) -> bool:
    if obj.cls is not None:
        return all(_visible(model, info.node) for info in _with_bases(obj.cls))
    if obj.by_name:
        return False
    whole = obj.args.get("of")
    if whole is not None:
        return rounds_alike(model, whole)
    return obj.path.startswith("torch.nn.") or bool(_CONVOLUTIONAL.match(obj.path))


@cached
def _visible(model: ScriptModel, definition: cst.FunctionDef | cst.ClassDef) -> bool:
    """Whether all that a class or function calls is torch's own or in view, and rounds alike."""
    seen: set[cst.CSTNode] = set()
    pending: list[cst.CSTNode] = [definition]
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        for call in model.every(cst.Call, node):
            path = model.path_of(call.func)
            if _UNSTABLE.search(path):
                return False
            meant = definitions_meant(model, call.func)
            pending += meant
            if not meant and path and not path.startswith(_KNOWN):
                return False
            if path.startswith("torchvision.models.") and not _CONVOLUTIONAL.match(path):
                return False
    return True
