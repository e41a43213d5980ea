"""Whether a module computes the same bits with and without grad mode.

Measured with torch 2.13 on the CPU: nn.LSTM, nn.MultiheadAttention and the Transformer layers take another
path under no_grad (a fused kernel, the "fast path" in evaluation mode) and round differently; linear,
convolution, normalisation, GRU, RNN and the losses do not. A module that cannot be seen may hold either.
"""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Class, ClassInfo, Obj, Ref, Value, options_of

_UNSTABLE = pattern(r"(LSTM|MultiheadAttention|Transformer|linalg|svd|scaled_dot_product)")
_CONVOLUTIONAL = pattern(
    r"^torchvision\.models\.(\w+\.)*(resnet|vgg|alexnet|densenet|squeezenet|mobilenet|shufflenet|resnext|wide_resnet|googlenet|inception|mnasnet|efficientnet|regnet)\w*$",
    re.IGNORECASE,
)


def rounds_alike(model: ScriptModel, module: Value) -> bool:
    """Whether the module is visible down to layers that round the same under no_grad."""
    if any(_UNSTABLE.search(name) for name in model.identifiers):
        return False
    return all(isinstance(o, Ref) and _known(model, o.obj) for o in options_of(module))


def _known(model: ScriptModel, obj: Obj) -> bool:
    if obj.cls is not None:
        return _visible(model, obj.cls)
    if obj.by_name:
        return False
    whole = obj.args.get("of")
    if whole is not None:
        return rounds_alike(model, whole)
    return obj.path.startswith("torch.nn.") or bool(_CONVOLUTIONAL.match(obj.path))


def _visible(model: ScriptModel, info: ClassInfo) -> bool:
    """Whether all that a module class calls is torch's own or in the file."""
    for base in info.bases:
        if isinstance(base, Class) and not _visible(model, base.info):
            return False
    for node in model.walk(info.node):
        if not isinstance(node, cst.Call):
            continue
        path = model.names.one(node.func)
        if path and not path.startswith(
            ("torch.", "torchvision.models.", "math.", "numpy.", "functools.", "collections.", "typing.")
        ):
            return False
        if path.startswith("torchvision.models.") and not _CONVOLUTIONAL.match(path):
            return False
    return True
