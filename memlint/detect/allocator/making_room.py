"""Reasons to empty the cache in a loop: something failed, is measured, or leaves the device."""

from __future__ import annotations

from itertools import pairwise

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.execution_frequency import Frequency
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import code_words, device_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of
from memlint.analysis.values import Ref, options_of
from memlint.syntax.expressions import calls_one, literal, speaks_of, words_of
from memlint.syntax.tree import last_name, statements

_MEASURES = frozenset(("reset_peak_memory_stats", "reset_max_memory_allocated"))


def only_after_failure(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the call follows an exception: what ran into none has left, or a handler's flag is asked."""
    below = node
    for above in model.ancestors(node):
        if isinstance(above, (cst.IndentedBlock, cst.Module)):
            flags: set[str] = set()
            for earlier in statements(above):
                if isinstance(earlier, cst.If) and not flags.isdisjoint(model.names_in(earlier.test)):
                    asked = earlier is below or leaves(earlier.body, Leave.WITHOUT_ERROR)
                    if asked:
                        return True
                if earlier is below:
                    break
                if isinstance(earlier, cst.Try):
                    if earlier.orelse is None and leaves(earlier.body, Leave.WITHOUT_ERROR):
                        return True
                    flags.update(*(model.names_in(t) for h in earlier.handlers for t in _bound(model, h)))
        if isinstance(above, cst.FunctionDef):
            return False
        below = above
    return False


def tries_what_fits(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the call ends a trial of one size, which only finds out whether that fits.

    No step is taken, and out of memory is an answer or ends the search.
    """
    for below, block in pairwise((node, *model.ancestors(node))):
        if isinstance(block, cst.Try) and below in (block.body, block.finalbody):
            failed = [h for h in block.handlers if speaks_of(h, code_words.OUT_OF_MEMORY)]
            answers = [r.value for part in (block.body, *failed) for r in model.every(cst.Return, part)]
            asked = bool(answers) and all(a is not None and type(literal(a)) is bool for a in answers)
            ended = not answers and any(model.every(cst.Break, h) for h in failed)
            if bool(failed) and (asked or ended) and not calls_one(block.body, "step"):
                return True
        if isinstance(block, cst.FunctionDef):
            return False
    return False


def follows_a_move(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a statement before the call, in the same block, has moved a network away, by its words:
    `self.prior.to(self.offload_device)`."""
    line = model.statement_of(node)
    block = model.parent(line) if line is not None else None
    earlier = statements(block) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    earlier = earlier[: next((i for i, s in enumerate(earlier) if s is line), 0)]
    return any(model.every(cst.Call, s) and speaks_of(s, device_hints.MAKES_ROOM) for s in earlier)


def _bound(model: ScriptModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    return [n.target for n in model.walk(node) if isinstance(n, cst.AssignTarget)]


def makes_room(model: ScriptModel, event: Called, found: Frequency) -> bool:
    """Whether each iteration is measured apart, fits a model to all data, or throws or moves one away."""
    loop = found.loop
    inside = [e for e in model.trace.calls.values() if loop in e.loops]
    if any(e.path in (".cpu", ".to") and _leaves_device(model, e) for e in inside):
        return True
    frames = (*event.frame.chain(), *loop.frame.chain())
    if any(_MEASURES & model.names_in(part) for part in found.through) or any(
        device_hints.STUDIES_MEMORY.search(frame.name) for frame in frames
    ):
        return True
    for node in model.walk(loop.node):
        if type(node) is cst.Del and any(_is_module(model, n) for n in model.every(cst.Name, node)):
            return True
        if type(node) is cst.Call and (_makes_way(model, node.func) or _fits_all(node.func)):
            return True
    made = {id(o.node) for o in model.trace.objects.values() if o.kind == "module" and o.node is not None}
    return any(id(e.node) in made for e in inside)


def _makes_way(model: ScriptModel, func: cst.BaseExpression) -> bool:
    """Whether a function moves a model away, or puts an inference engine to sleep."""
    sleeps = last_name(func) == "sleep" and model.path_of(func) not in ("time.sleep", "asyncio.sleep")
    return sleeps or speaks_of(func, device_hints.MAKES_ROOM)


def _fits_all(func: cst.BaseExpression) -> bool:
    """Whether a method fits a model to all data, `clusters.fit(x)`: cleaning takes no time beside that."""
    return isinstance(func, cst.Attribute) and func.attr.value in ("fit", "fit_predict", "fit_transform")


def _is_module(model: ScriptModel, name: cst.Name) -> bool:
    role = role_of(model, name)
    return role is not None and role.kind == "module"


def _leaves_device(model: ScriptModel, event: Called) -> bool:
    """Whether an event moves a module to the CPU."""
    assert isinstance(event.node, cst.Call)
    if event.owner is None or not any(
        isinstance(o, Ref) and o.obj.kind == "module" for o in options_of(event.owner)
    ):
        return False
    return event.path == ".cpu" or any(not {"cpu", "meta"}.isdisjoint(words_of(a)) for a in event.node.args)
