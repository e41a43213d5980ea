"""MEM410: batches are copied to the GPU while nothing else runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import uses_cuda
from memlint.analysis.training.loading.batch_moves import made_on_device, moves_of
from memlint.analysis.training.loading.datasets import is_prepared, made_by_package, trained_from
from memlint.analysis.training.loading.placement import placed
from memlint.analysis.training.loading.worker_code import may_make_objects
from memlint.analysis.training.loading.workers import loader_argument, loaders, value_of
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.analysis.values import Obj, truth
from memlint.catalogue import Rule
from memlint.detect.loading.made_on_host import made_on_host
from memlint.finding import Applicability
from memlint.syntax.expressions import literal, words_of

_PINNING = "pinned host memory cannot be swapped out; every batch in flight takes some"
_OBJECTS = "what the collate function gives may have a `to` of its own, without `non_blocking`"
_DEVICE = "right where the device is a CUDA one"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loaders without pinned memory, blocking copies of pinned batches, tensors made on the wrong side."""
    if not uses_cuda(model):
        return
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        node = loader.node
        assert isinstance(node, cst.Call)
        if node in seen or not trained_from(model, loader) or made_on_device(model, loader):
            continue
        moves = moves_of(model, loader)
        if not moves or made_by_package(loader) or is_prepared(model, loader):
            continue
        seen.add(node)
        pinned = _pinned(model, loader)
        if pinned == "no" and not _speaks_of_mps(model):
            plan = Plan(
                Applicability.UNSAFE,
                "pin the batches",
                (with_keyword(model, node, "pin_memory", "True"),),
                _PINNING,
            )
            values = {"move": model.short(moves[0])}
            frame = model.trace.loader_calls[loader.id].frame
            labels = (Label("the batch is copied here", moves[0]),)
            yield Match(node, values, labels=labels, plans=(plan,), frame=frame)
        elif pinned == "yes":
            yield from _blocking(model, loader, [m for m in moves if m not in seen])
            seen.update(moves)
    yield from made_on_host(model)


def _pinned(model: ScriptModel, loader: Obj) -> str:
    given, value = loader_argument(model, loader, "pin_memory"), value_of(loader, "pin_memory")
    if given is None and value is None:
        return "unknown" if "**" in loader.args else "no"
    if value is not None and truth(value) is not None:
        return "yes" if truth(value) else "unknown"
    found = [o.node for o in value_sources(model, given)] if given is not None else []
    return "yes" if found and all(_holds_on_cuda(model, node) for node in found) else "unknown"


def _holds_on_cuda(model: ScriptModel, node: cst.CSTNode) -> bool:
    asks = isinstance(node, cst.Call) and model.path_of(node.func) == "torch.cuda.is_available"
    return asks or literal(node) is True


def _speaks_of_mps(model: ScriptModel) -> bool:
    return "mps" in words_of(model.module)


def _blocking(model: ScriptModel, loader: Obj, moves: list[cst.Call]) -> Iterator[Match]:
    """Copies of pinned batches that the host waits for."""
    waiting = [m for m in moves if not any(a.keyword is not None for a in m.args) and len(m.args) < 2]
    if not waiting:
        return
    changes = tuple(with_keyword(model, move, "non_blocking", "True") for move in waiting)
    certain = all(placed(model, m) == "cuda" and _gives_up(model, m) for m in waiting)
    plan = Plan(
        Applicability.SAFE if certain else Applicability.UNSAFE,
        "do not wait for the copy",
        changes,
        "" if certain else _DEVICE,
    )
    assert loader.node is not None
    labels = (Label("its batches are pinned", loader.node),)
    objects = may_make_objects(model, loader)
    values, plans = {"move": model.short(waiting[0])}, () if objects else (plan,)
    yield Match(waiting[0], values, "blocking", labels, plans=plans, no_fix=_OBJECTS if objects else "")


def _gives_up(model: ScriptModel, move: cst.Call) -> bool:
    """Whether the batch on the host cannot be written to afterwards: its name gets the copy."""
    assert isinstance(move.func, cst.Attribute)
    line = model.statement_of(move)
    if not isinstance(move.func.value, cst.Name) or not isinstance(line, cst.SimpleStatementLine):
        return False
    name = move.func.value.value
    loops = [loop for loop in model.ancestors(move) if isinstance(loop, cst.For)]
    batch = [n for n in model.walk(loops[0].target) if isinstance(n, cst.Name)] if loops else []
    if any(written_in_place(model, held) == "yes" for held in (move.func.value, *batch)):
        return False
    return any(
        isinstance(s, cst.Assign)
        and any(isinstance(n, cst.Name) and n.value == name for t in s.targets for n in model.walk(t.target))
        for s in line.body
    )
