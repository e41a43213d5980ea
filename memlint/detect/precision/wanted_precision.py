"""Whether float64 is wanted: by a flag, a comment, or by how often a file asks for it."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.guards import stands_behind
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge.libraries import FACTORIES
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import External, Obj, Ref, Value, options_of
from memlint.syntax.expressions import calls_in, speaks_of
from memlint.syntax.tree import comments_above, last_name

DOUBLE = ("torch.float64", "torch.double", "torch.DoubleTensor", "torch.cuda.DoubleTensor")


def is_asked_for(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a flag of the script chooses the precision, or a comment above says why it is this one."""
    if stands_behind(model, node, lambda test: speaks_of(test, hints.ASKS_FOR_PRECISION)):
        return True
    lines = (
        above for above in model.ancestors(node) if isinstance(above, (cst.SimpleStatementLine, cst.For))
    )
    return any(hints.EXPLAINS_PRECISION.search(text) for line in lines for text in comments_above(line))


@cached
def casts_inputs(model: ScriptModel) -> bool:
    """Whether the file casts data to float64 that had another dtype, `x = x.double()`: it is wanted. What it
    has just made, from an array or to begin a state, only fits in."""
    for called in calls_of(model, ".double", ".to", ".type"):
        node = called.node
        given = (*called.args, *called.keywords.values())
        cast = called.path == ".double" or any(is_float64(value) for value in given)
        if not cast or not isinstance(node, cst.Call) or modules_in(called.owner):
            continue
        data = node.func.value if isinstance(node.func, cst.Attribute) else None
        if data is not None and not any(last_name(c.func) in FACTORIES for c in calls_in(data)):
            return True
    return False


def asks_again(model: ScriptModel) -> bool:
    """Whether a file names float64 in more than one place: it is meant."""
    return len(re.findall(r"[dD]ouble|float64", model.text)) > 1


def is_float64(value: Value) -> bool:
    """Whether a value is float64 whichever way the script runs: among other dtypes it is one to choose."""
    options = options_of(value)
    return bool(options) and all(isinstance(o, External) and o.path in DOUBLE for o in options)


def modules_in(owner: Value | None) -> list[Obj]:
    """The networks that a value may be."""
    options = options_of(owner) if owner is not None else ()
    return [o.obj for o in options if isinstance(o, Ref) and o.obj.kind == "module"]
