"""Lightning: which classes its trainer drives, and with which of their methods."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.cross_module import unit_behind
from memlint.analysis.knowledge import libraries
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import words_of
from memlint.syntax.tree import dotted, methods

_ROOT = r"^(lightning|pytorch_lightning)\."
_MODULE = pattern(_ROOT + r"(\w+\.)*LightningModule$")
_STEPS = frozenset({"training_step", "validation_step", "configure_optimizers", "test_step"})
_CALLBACK = pattern(_ROOT + r"(\w+\.)*(Callback|BasePredictionWriter)$")


def hook_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The LightningModules of a file: classes that inherit from one, directly or through another."""
    return _classes(model, _MODULE)


def callback_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The Lightning callbacks of a file."""
    return _classes(model, _CALLBACK)


def is_driven(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether a framework calls the methods of a class: a LightningModule, a Trainer, a Keras class."""
    bases = " ".join(model.path_of(b.value) or ".".join(words_of(b.value)) for b in owner.bases)
    return bool(libraries.MANAGED_BASES.search(bases))


def _classes(model: ScriptModel, wanted: re.Pattern[str]) -> list[cst.ClassDef]:
    if not _names_lightning(model) and model.cross_module is None:
        return []
    classes = model.names.every(cst.ClassDef)
    by_name = {node.name.value: node for node in classes}
    return [node for node in classes if _inherits(model, node, wanted, by_name, 0)]


def _names_lightning(model: ScriptModel) -> bool:
    return model.imports("lightning", "pytorch_lightning")


def _inherits(
    model: ScriptModel,
    node: cst.ClassDef,
    wanted: re.Pattern[str],
    known: dict[str, cst.ClassDef],
    depth: int,
) -> bool:
    for base in node.bases:
        if wanted.match(model.path_of(base.value)):
            return True
        above = known.get(dotted(base.value)) or _cross_module(model, base.value)
        if above is not None and depth < 5 and _inherits(model, above, wanted, known, depth + 1):
            return True
    steps = _STEPS & {method.name.value for method in methods(node)}
    return wanted is _MODULE and len(steps) > 1 and _names_lightning(model)


def _cross_module(model: ScriptModel, base: cst.BaseExpression) -> cst.ClassDef | None:
    """The class of another file of the project that a base names."""
    unit = unit_behind(model, base) if isinstance(base, (cst.Name, cst.Attribute)) else None
    return next((s for s in unit.body if isinstance(s, cst.ClassDef)), None) if unit is not None else None


def ancestors(model: ScriptModel, node: cst.ClassDef, depth: int = 0) -> list[cst.ClassDef]:
    """The classes of the file and of other files of the project that a class inherits from, nearest first."""
    found: list[cst.ClassDef] = []
    for base in node.bases if depth < 5 else ():
        name = dotted(base.value)
        own = next(
            (c for c in model.names.every(cst.ClassDef) if c.name.value == name and c is not node), None
        )
        above = own or _cross_module(model, base.value)
        if above is not None:
            found += [above, *ancestors(model, above, depth + 1)]
    return found
