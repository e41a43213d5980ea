"""Names that are given up under the condition under which they were bound."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import Variable
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted


def is_deleted_alike(model: ScriptModel, name: Variable, line: cst.CSTNode, step: cst.CSTNode) -> bool:
    """Whether a name that a line binds is deleted, or set to None, before a step of the training under no
    other conditions: `if pretrained: ckpt = load()`, and later `if pretrained: del ckpt`."""
    function, known = model.function_of(line), list(_conditions(model, line))
    for later, freed in _freed(model):
        between = model.positions[line] < model.positions[later] < model.positions[step]
        if not between or name.name not in freed or model.function_of(later) is not function:
            continue
        under = list(_conditions(model, later))
        if under and all(test and any(other and same(test, other) for other in known) for test in under):
            return True
    return False


def _conditions(model: ScriptModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression | None]:
    """The tests that hold where a statement of a function runs, None for an `else` or a loop."""
    inner = node
    for above in model.ancestors(node):
        if isinstance(above, cst.FunctionDef):
            return
        if isinstance(above, cst.If):
            yield above.test if above.body is inner else None
        elif isinstance(above, (cst.For, cst.While)):
            yield None
        inner = above


def _freed(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, set[str]]]:
    """The statements that delete names or set them to None, with these names."""
    for deletion in model.names.every(cst.Del):
        gone = deletion.target
        parts = [e.value for e in gone.elements] if isinstance(gone, cst.Tuple) else [gone]
        yield deletion, {part.value for part in parts if isinstance(part, cst.Name)}
    for line in model.names.every(cst.Assign):
        if dotted(line.value) == "None":
            yield line, {t.target.value for t in line.targets if isinstance(t.target, cst.Name)}
