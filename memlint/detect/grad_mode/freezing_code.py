"""Code that may freeze parameters, of whatever network."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name


def freezes_some(model: ScriptModel) -> bool:
    """Whether the file may freeze parameters somewhere. A tensor that is made without a gradient freezes
    nothing, nor does an image that is optimized and asks for its gradient."""
    if "requires_grad" not in model.text:
        return False
    calls = model.names.calls
    return (
        any(_freezes(model, call) for call in calls)
        or any(_sets(line) for line in model.names.every(cst.Assign))
        or any(p.name.value == "requires_grad" for p in model.names.every(cst.Param))
        or any("requires_grad" in text.value for text in model.names.every(cst.SimpleString))
    )


def _freezes(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call may freeze: `net.requires_grad_(False)`, or `Vgg(requires_grad=False)` of a class."""
    if last_name(call.func) == "requires_grad_":
        return bool(call.args) and literal(call.args[0].value) is not True
    given = keyword(call, "requires_grad")
    return (
        given is not None and literal(given) is not True and not model.path_of(call.func).startswith("torch.")
    )


def _sets(line: cst.Assign) -> bool:
    named = any(last_name(target.target) == "requires_grad" for target in line.targets)
    return named and literal(line.value) is not True


def misspelt(model: ScriptModel) -> list[cst.Attribute]:
    """Where the file would freeze, had it spelt `requires_grad` so."""
    lines = (line for line in model.names.every(cst.Assign) if literal(line.value) is False)
    targets = (target.target for line in lines for target in line.targets)
    named = (t for t in targets if isinstance(t, cst.Attribute))
    return [t for t in named if t.attr.value in naming.MISSPELT_SWITCHES]
