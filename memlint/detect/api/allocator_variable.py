"""Where the variable of the allocator is set under its old name."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Match, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.api.transformers_arguments import unsafe

OLD_VARIABLE = "PYTORCH_CUDA_ALLOC_CONF"
_NEW_VARIABLE = "PYTORCH_ALLOC_CONF"
_NEW_WORKS = (2, 10)


def allocator_variable(model: ScriptModel) -> Iterator[Match]:
    """Where the environment variable is set under its old name, for a torch that reads the new one."""
    target = model.target_torch
    if target is not None and target < (2, 9):
        return
    for node in model.names.every(cst.SimpleString):
        if node.evaluated_value != OLD_VARIABLE:
            continue
        if not _is_set(model, node):
            continue
        change = Replace(node, f'"{_NEW_VARIABLE}"')
        known = target is not None and target >= _NEW_WORKS
        fix = unsafe(f"set {_NEW_VARIABLE}", change, "torch 2.9 and older ignore the new name")
        yield Match(node, {"keyword": OLD_VARIABLE}, "variable", plans=(fix,) if known else (), holds=">=2.9")


def _is_set(model: ScriptModel, node: cst.SimpleString) -> bool:
    """Whether `os.environ[name] = ...`, `setdefault(name, ...)` or `putenv(name, ...)` stands around it."""
    for above in model.ancestors(node):
        if isinstance(above, cst.Subscript):
            return isinstance(model.parent(above), cst.AssignTarget) and _is_environ(model, above.value)
        if isinstance(above, cst.Call):
            path = model.names.one(above.func)
            return path in ("os.environ.setdefault", "os.putenv") and above.args[0].value is node
        if isinstance(above, cst.BaseStatement):
            return False
    return False


def _is_environ(model: ScriptModel, node: cst.BaseExpression) -> bool:
    return model.names.one(node) == "os.environ"
