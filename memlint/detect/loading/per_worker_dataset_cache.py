"""MEM411: a data set caches what it loads, in each worker process by itself."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.item_caches import caches
from memlint.analysis.training.loading.worker_code import Piece, pieces
from memlint.analysis.training.loading.workers import loaders, trainer_loaders, workers
from memlint.analysis.values import Obj
from memlint.catalogue import Rule


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Caches that grow with the items which a worker has loaded."""
    found: dict[cst.CSTNode, Match] = {}
    for loader in (*loaders(model), *trainer_loaders(model)):
        count = workers(model, loader)
        if count.kind == "none" or loader.node is None:
            continue
        # The cache of a single worker is the only one.
        variant = "default" if count.kind == "some" and not count.single else "maybe"
        run = pieces(model, loader)
        for piece in run:
            for place, name in caches(model, piece, run):
                # A data set of another module is a matter of the file that gives it workers.
                node = place if model.owns(place) or not model.owns(loader.node) else loader.node
                known = found.get(node)
                if known is None or (known.variant == "maybe" and variant == "default"):
                    found[node] = _match(node, name, piece, loader, variant)
    yield from found.values()


def _match(node: cst.CSTNode, name: str, piece: Piece, loader: Obj, variant: str) -> Match:
    owner = piece.klass.name.value if piece.klass is not None else "the data set"
    labels = (
        (Label("each worker of this loader has its own", loader.node),) if loader.node is not None else ()
    )
    causes = ((piece.klass if piece.klass is not None else node,),)
    return Match(node, {"cache": name, "dataset": owner}, variant, labels, causes=causes)
