"""MEM407: code that runs in the workers of a loader uses CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import placed
from memlint.analysis.training.loading.worker_code import Piece, pieces
from memlint.analysis.training.loading.workers import (
    Workers,
    loaders,
    trainer_loaders,
    workers,
)
from memlint.analysis.values import Obj
from memlint.catalogue import Rule
from memlint.detect.loading.collate_fix import stays_on_host
from memlint.detect.loading.worker_moves import given_on_gpu, held_on_gpu, unused_pieces

_RANKS = ("default", "maybe", "main", "purpose")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Moves to CUDA, and uses of what lies there, in data set items, transforms and collate functions."""
    found: dict[cst.CSTNode, Match] = {}
    used: set[cst.CSTNode] = set()
    for loader in (*loaders(model), *trainer_loaders(model)):
        count = workers(model, loader)
        for piece in pieces(model, loader):
            used |= {piece.function}
            for match in _in_piece(model, piece, count, loader):
                _keep(found, replace(match, giver=loader.node))
        for match in given_on_gpu(model, loader, count):
            _keep(found, match)
    for piece in unused_pieces(model, used):
        for match in _in_piece(model, piece, Workers("unknown"), None):
            _keep(found, match)
    yield from found.values()


def _keep(found: dict[cst.CSTNode, Match], match: Match) -> None:
    known = found.get(match.node)
    if known is None or _RANKS.index(match.variant) < _RANKS.index(known.variant):
        found[match.node] = match


def _in_piece(model: ScriptModel, piece: Piece, count: Workers, loader: Obj | None) -> Iterator[Match]:
    """What code that a worker runs puts on the GPU, or reads from there."""
    where = _place(piece)
    for node in model.walk(piece.function.body):
        if isinstance(node, cst.Call):
            device = placed(model, node)
            if device in ("cuda", "unknown") and not never_runs(model, node):
                variant = _variant(device, count, piece.role)
                if variant:
                    values = {"move": model.short(node), "place": where}
                    plan = stays_on_host(model, node, piece, loader)
                    if plan is not None:
                        yield Match(node, values, variant, plans=(plan,))
                    else:
                        yield Match(node, values, variant, causes=((piece.function,),))
        elif count.kind == "some" and (held := held_on_gpu(model, piece, node)) is not None:
            label = Label("put on the GPU here", held)
            assert isinstance(node, cst.BaseExpression)
            values = {"move": model.short(node), "place": where}
            yield Match(node, values, "default", (label,))
            return


def _variant(device: str, count: Workers, role: str) -> str:
    if count.kind == "some":
        return "default" if device == "cuda" else "maybe"
    if device != "cuda":
        return ""
    if count.kind == "unknown":
        return "maybe"
    return "purpose" if count.explicit or role != "item" else "main"


def _place(piece: Piece) -> str:
    name = piece.function.name.value if isinstance(piece.function, cst.FunctionDef) else "a lambda"
    if piece.klass is not None and name != "a lambda":
        return f"{piece.klass.name.value}.{name}"
    return name
