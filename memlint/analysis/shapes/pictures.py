"""The shape of the pictures that a data set of torchvision, or its transforms, give."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.sizes import Shape
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import last_name

_SIZED = ("Resize", "CenterCrop", "RandomResizedCrop", "RandomCrop")
_GREY, _SMALL = (1, 28, 28), (3, 32, 32)
_KNOWN: dict[str, Shape] = {
    "MNIST": _GREY, "FashionMNIST": _GREY, "KMNIST": _GREY, "QMNIST": _GREY, "EMNIST": _GREY,
    "CIFAR10": _SMALL, "CIFAR100": _SMALL, "SVHN": _SMALL, "STL10": (3, 96, 96),
}  # fmt: skip
"""Shapes of torchvision's data sets of one size, from its documentation."""


def picture_shape(model: ScriptModel, made: cst.Call) -> Shape | None:
    """The shape of the pictures of a data set, by the transforms that the call gets, or by its class."""
    path = model.path_of(made.func)
    if path.endswith(".FakeData"):
        size = keyword(made, "image_size")
        parts = [e.value for e in size.elements] if isinstance(size, cst.Tuple) else []
        return _numbers(model, parts) if parts else (3, 224, 224)
    for arg in made.args:
        for source in value_sources(model, arg.value):
            sides = [_sides(model, c) for c in calls_in(source.node, *_SIZED) if _is_transform(model, c)]
            if sides:
                return (3, *sides[-1]) if sides[-1] else None
    return _KNOWN.get(path.rpartition(".")[2]) if path.startswith("torchvision.datasets.") else None


def _is_transform(model: ScriptModel, call: cst.Call) -> bool:
    return model.path_of(call.func).startswith("torchvision.transforms.")


def _sides(model: ScriptModel, call: cst.Call) -> Shape | None:
    """Height and width: of a crop by one number, of a resize only by two."""
    size = argument(call, 0, "size")
    if isinstance(size, (cst.Tuple, cst.List)):
        return _numbers(model, [e.value for e in size.elements])
    side = constant(model, size) if size is not None and last_name(call.func) != "Resize" else None
    return (side, side) if isinstance(side, int) else None


def _numbers(model: ScriptModel, given: list[cst.BaseExpression]) -> Shape | None:
    numbers = [constant(model, value) for value in given]
    sizes = tuple(n for n in numbers if isinstance(n, int))
    return sizes if len(sizes) == len(numbers) else None
