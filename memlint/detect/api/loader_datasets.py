"""What kind of data set a loader is given, and how many items it has for certain."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import constant, sole_value
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted

_TENSORS = frozenset("randn rand zeros ones empty arange randint full".split())


def is_iterable_dataset(model: ScriptModel, dataset: cst.BaseExpression) -> bool:
    """Whether a dataset is an object of a class of the file that inherits from IterableDataset."""
    made = sole_value(model, dataset) if isinstance(dataset, cst.Name) else dataset
    if not isinstance(made, cst.Call):
        return False
    name = dotted(made.func)
    classes = [c for c in model.module.body if isinstance(c, cst.ClassDef) and c.name.value == name]
    return (
        any(model.names.one(base.value).endswith(".IterableDataset") for c in classes for base in c.bases)
        and len(classes) == 1
    )


def dataset_length(model: ScriptModel, node: cst.BaseExpression, depth: int = 0) -> int | None:
    """How many items a dataset has for certain: a list, a range, tensors made of a stated size."""
    if depth > 4:
        return None
    if isinstance(node, cst.Name):
        bound = sole_value(model, node)
        return dataset_length(model, bound, depth + 1) if bound is not None else None
    if isinstance(node, (cst.List, cst.Tuple)):
        plain = not any(isinstance(e, cst.StarredElement) for e in node.elements)
        return len(node.elements) if plain else None
    if not isinstance(node, cst.Call) or not node.args or any(a.star for a in node.args):
        return None
    path = model.names.one(node.func)
    if path in ("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset"):
        return dataset_length(model, node.args[0].value, depth + 1)
    if path == "torch.utils.data.Subset" and len(node.args) == 2:
        return dataset_length(model, node.args[1].value, depth + 1)
    return _made_length(model, node, path)


def _made_length(model: ScriptModel, call: cst.Call, path: str) -> int | None:
    """The first dimension of `torch.randn(100, 3)`, the length of `range(8)`."""
    factory = path.startswith("torch.") and path.removeprefix("torch.") in _TENSORS - {"randint", "full"}
    counts = dotted(call.func) == "range" and len(call.args) == 1
    if not (factory or counts) or (path == "torch.arange" and len(call.args) != 1):
        return None
    first = call.args[0].value
    if isinstance(first, (cst.Tuple, cst.List)) and first.elements:
        first = first.elements[0].value
    size = constant(model, first)
    return size if isinstance(size, int) and not isinstance(size, bool) else None
