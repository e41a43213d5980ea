"""Lightning: which classes its trainer drives, and with which of their methods."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.tree import dotted, statements

_ROOT = r"^(lightning|pytorch_lightning)\."
_MODULE = re.compile(_ROOT + r"(\w+\.)*LightningModule$")
_STEPS = frozenset({"training_step", "validation_step", "configure_optimizers", "test_step"})
_CALLBACK = re.compile(_ROOT + r"(\w+\.)*Callback$")


_Classes = dict[str, cst.ClassDef]


def hook_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The LightningModules of a file: classes that inherit from one, directly or through another."""
    return _classes(model, _MODULE)


def callback_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The Lightning callbacks of a file."""
    return _classes(model, _CALLBACK)


def _classes(model: ScriptModel, wanted: re.Pattern[str]) -> list[cst.ClassDef]:
    if not model.imports("lightning", "pytorch_lightning"):
        return []
    classes = [node for node in model.names.scopes if type(node) is cst.ClassDef]
    by_name = {node.name.value: node for node in classes}
    return [node for node in classes if _inherits(model, node, wanted, by_name, 0)]


def _inherits(
    model: ScriptModel,
    node: cst.ClassDef,
    wanted: re.Pattern[str],
    known: dict[str, cst.ClassDef],
    depth: int,
) -> bool:
    for base in node.bases:
        if wanted.match(model.names.one(base.value)):
            return True
        above = known.get(dotted(base.value))
        if above is not None and depth < 5 and _inherits(model, above, wanted, known, depth + 1):
            return True
    return wanted is _MODULE and len(_STEPS & {method.name.value for method in methods(node)}) > 1


def methods(node: cst.ClassDef) -> list[cst.FunctionDef]:
    """The methods that a class defines itself."""
    return [found for found in statements(node.body) if isinstance(found, cst.FunctionDef)]
