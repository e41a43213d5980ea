"""Whether weights that were kept are used later."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.liveness import Variable, next_turn, variable
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.detect.checkpoints.kept_weights import KeptWeights
from memlint.syntax.expressions import words_of
from memlint.syntax.tree import last_name, root_name


def is_used(model: ScriptModel, kept: KeptWeights) -> bool:
    """Whether what was kept is loaded, saved or returned later, elsewhere than beside the assignment.

    Where it is saved there, the best is on disk, and what each epoch saves again is the last state.
    """
    told = [c for c in model.names.calls if c.args and _saves_or_loads(last_name(c.func))]
    read = [(c, _is_beside(model, kept, c)) for c in told if _reads_kept(model, kept, c.args[0].value)]
    on_disk = any(beside and "save" in last_name(call.func) for call, beside in read)
    if any(not beside and not (on_disk and "save" in last_name(call.func)) for call, beside in read):
        return True
    if isinstance(kept.target, cst.Attribute):
        return "best" in last_name(kept.target).lower()
    if not isinstance(kept.value, cst.Call) and kept.value is kept.owner:
        return _is_read_elsewhere(model, kept)
    function = model.function_of(kept.value)
    given = returned(model, function) if function is not None else []
    return any(_reads_kept(model, kept, value) for value in given)


def _saves_or_loads(name: str) -> bool:
    plain = name in ("load_state_dict", "save", "set_state_dict")
    return plain or hints.SAVES_OR_LOADS.match(name) is not None


def _is_beside(model: ScriptModel, kept: KeptWeights, call: cst.Call) -> bool:
    """Whether a call stands in the block of the assignment, or further out in the same turn of the loop and
    reads what this turn keeps: no training comes between."""
    line, later = (model.statement_of(node) or node for node in (kept.value, call))
    block, way = model.parent(later), list(model.ancestors(line))
    if block is None or block not in way:
        return False
    inner = way[: way.index(block)]
    if not inner:
        return True
    beside = list(block.children)
    between = beside[beside.index(inner[-1]) : beside.index(later)]
    found = _local(model, kept, root_name(kept.target))
    if found is None or any(isinstance(node, (cst.For, cst.While)) for node in (*inner, *between)):
        return False
    reads = {read for start in next_turn(model, line, found) for read in found.reads_from(start)}
    return not any(part in reads for part in model.walk(call))


def _is_read_elsewhere(model: ScriptModel, kept: KeptWeights) -> bool:
    """Whether a model that is kept under a name of its own is read outside of the block that keeps it."""
    reads = _reads_after(model, kept, root_name(kept.target)) or set()
    home = model.parent(model.statement_of(kept.value) or kept.value)
    return any(home not in list(model.ancestors(read)) for read in reads)


def _reads_kept(model: ScriptModel, kept: KeptWeights, node: cst.BaseExpression) -> bool:
    """Whether an expression reads what was kept: this value of the name, not another one bound to it."""
    attribute = isinstance(kept.target, cst.Attribute)
    short = last_name(kept.target) if attribute else root_name(kept.target)
    if short not in words_of(node):
        return False
    reads = None if attribute else _reads_after(model, kept, short)
    return reads is None or any(part in reads for part in model.walk(node))


def _reads_after(model: ScriptModel, kept: KeptWeights, name: str) -> set[cst.CSTNode] | None:
    """Where the kept value may be read under its name; None where other code may read it at any time."""
    line, found = model.statement_of(kept.value), _local(model, kept, name)
    return set(found.reads_after(line)) if found is not None and line is not None else None


def _local(model: ScriptModel, kept: KeptWeights, name: str) -> Variable | None:
    """The variable that a name is beside what is kept; None where other code may read it at any time."""
    line = model.statement_of(kept.value)
    found = variable(model, line, name) if line is not None else None
    if line is None or found is None or found.captured:
        return None
    return found if found.scope.node is (model.function_of(line) or model.module) else None
