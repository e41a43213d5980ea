"""Leaving a batch on the CPU: a collate function's move that the training loop makes anyway."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.match import Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.worker_code import Piece
from memlint.analysis.training.loading.workers import loader_argument
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.analysis.values import Obj, Ref, options_of
from memlint.detect.loading.batch_moves import moves_part
from memlint.finding import Applicability
from memlint.syntax.tree import last_name

_CAUTION = "the batch of the workers is on the CPU then, also for code that memlint cannot see"
_COMPREHENSIONS = (cst.GeneratorExp, cst.ListComp)
_SEQUENCES = frozenset({"tuple", "list"})


def stays_on_host(model: ScriptModel, call: cst.Call, piece: Piece, loader: Obj | None) -> Plan | None:
    """Leave the move out where the function only returns what it moves, and each loop moves that itself."""
    if piece.role != "collate" or loader is None or not isinstance(call.func, cst.Attribute):
        return None
    if len(call.args) > 1 or loader_argument(model, loader, "collate_fn") is None:
        return None
    parts, loops = _returned_as(model, call), model.trace.iterated.get(loader.id, ())
    if not parts or not loops or _is_used_elsewhere(model, loader) or _is_shared(model, piece):
        return None
    if not all(moves_part(model, loop, part) for loop in loops for part in parts):
        return None
    stays = Replace(call, indented(model, call, call.func.value))
    return Plan(Applicability.UNSAFE, "leave the batch on the CPU", (stays,), _CAUTION)


def _is_used_elsewhere(model: ScriptModel, loader: Obj) -> bool:
    """Whether code out of view has the loader, or something takes a batch from it by hand."""
    drawn = (
        o.obj for draw in model.trace.draws.values() for o in options_of(draw.value) if isinstance(o, Ref)
    )
    given = (o for event in model.trace.opaque_calls.values() for o in event.objects)
    return loader.id in given or any(obj is loader for obj in drawn)


def _is_shared(model: ScriptModel, piece: Piece) -> bool:
    """Whether the function, or its class, is named more than once: another loader may have a loop that moves
    nothing."""
    if not isinstance(piece.function, cst.FunctionDef):
        return False
    named = piece.klass or piece.function
    nodes = (n for n in model.names.every(cst.Name) if n.value == named.name.value and n is not named.name)
    keywords = {arg.keyword for arg in model.names.every(cst.Arg)}
    return sum(n not in keywords for n in nodes) != 1


def _returned_as(model: ScriptModel, call: cst.Call) -> set[int | None]:
    """Which parts of the batch a moved value is: None for all of it; empty where it is used otherwise."""
    found = {part for use in uses_of(model, call) for part in _parts(model, call, use)}
    return set() if -1 in found else found


def _parts(model: ScriptModel, value: cst.CSTNode, use: Use) -> Iterator[int | None]:
    """The parts that one use makes of a value; -1 for another use."""
    if use.how == "returned":
        yield None
    elif use.how == "member" and isinstance(use.node, (cst.Tuple, cst.List)):
        whole = all(further.how == "returned" for further in uses_of(model, use.node))
        place = next((i for i, e in enumerate(use.node.elements) if _holds(model, e, value)), -1)
        yield place if whole else -1
    elif use.how == "member" and isinstance(use.node, _COMPREHENSIONS):
        for further in uses_of(model, use.node):
            made = further.node
            joined = (
                further.how == "argument"
                and isinstance(made, cst.Call)
                and last_name(made.func) in _SEQUENCES
            )
            uses = uses_of(model, made) if joined else (further,)
            yield None if all(u.how == "returned" for u in uses) else -1
    else:
        yield -1


def _holds(model: ScriptModel, element: cst.BaseElement, value: cst.CSTNode) -> bool:
    """Whether an element is a value, or the name that it was given."""
    if element.value is value:
        return True
    line = model.statement_of(value)
    bound = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if not isinstance(bound, cst.Assign) or not isinstance(element.value, cst.Name):
        return False
    return any(
        isinstance(t.target, cst.Name) and t.target.value == element.value.value for t in bound.targets
    )
