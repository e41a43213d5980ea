"""MEM401: the training process loads and prepares every batch itself."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import with_last
from memlint.analysis.match import AddImport, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.datasets import (
    class_name,
    loading,
    made_by_package,
    trained_from,
    workers_of,
)
from memlint.analysis.training.loading.worker_code import uses_cuda
from memlint.analysis.values import NONE, Const, Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability

_WORKERS = "min(4, os.cpu_count() or 1)"
_CAUTION = "random streams, worker seeds and the process layout change; each worker adds host memory"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """DataLoader calls with num_workers 0 whose batches feed a training loop.

    Not in notebooks: outside of Linux, workers cannot import what a cell defines.
    """
    if model.notebook:
        return
    seen: set[cst.CSTNode] = set()
    for loader in model.trace.loaders.values():
        node = loader.node
        if (
            not isinstance(node, cst.Call)
            or node in seen
            or workers_of(loader) != Const(0)
            or not trained_from(model, loader)
        ):
            continue
        if not model.has_main_guard and _other_platform(model):
            continue
        dataset = loader.args.get("0", loader.args.get("dataset", NONE))
        how = loading(model, dataset)
        if how.kind in ("memory", "unshareable") or uses_cuda(model, loader) or made_by_package(loader):
            continue
        if how.kind == "unknown" and not class_name(dataset):
            continue
        seen.add(node)
        plan = _plan(model, node, loader)
        yield Match(
            node,
            {"dataset": class_name(dataset), "work": how.work},
            "work" if how.kind == "work" else "default",
            plans=(plan,) if plan is not None else (),
            frame=model.trace.loader_calls[loader.id].frame,
        )


def _other_platform(model: ScriptModel) -> bool:
    """Whether the script is written for a platform whose workers start by running it again."""
    return any(word in model.text for word in ('"win32"', "'win32'", '"nt"', "'nt'", '"darwin"', "'darwin'"))


def _plan(model: ScriptModel, node: cst.Call, loader: Obj) -> Plan | None:
    """Worker processes for a loader; none without a main guard, which spawned workers need."""
    if not model.has_main_guard or any(a.star for a in node.args):
        return None
    arguments = {a.keyword.value: a for a in node.args if a.keyword is not None}
    if "5" in loader.args:
        return None
    if not node.args:
        return None
    text = f"num_workers={_WORKERS}"
    if "persistent_workers" not in arguments:
        text += ", persistent_workers=True"
    given = arguments.get("num_workers")
    change = Replace(given, text) if given is not None else with_last(model, node, text)
    return Plan(Applicability.UNSAFE, "load in worker processes", (change, AddImport("import os")), _CAUTION)
