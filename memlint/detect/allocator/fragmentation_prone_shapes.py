"""MEM506: batches of changing shape leave holes in the memory that the caching allocator has reserved."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import uses_cuda
from memlint.analysis.training.hardware.environment import first_import
from memlint.analysis.training.loading.varying_shapes import benchmark_switch, varying_shapes
from memlint.analysis.training.loading.workers import loader_argument, loaders
from memlint.analysis.training.loops import batch_loops
from memlint.analysis.values import Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.expressions import is_text, literal

_SETTING = 'os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")'
_OTHER_SYSTEMS = ("win32", "nt", "Windows")
_CAUTION = "other processes cannot share CUDA tensors with this one; not for Windows"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The first place of a training script for CUDA that varies the shapes, with the others."""
    if not uses_cuda(model) or "training" not in batch_loops(model).values() or _is_settled(model):
        return
    varying = varying_shapes(model)
    sites = sorted(varying, key=lambda call: (not model.owns(call), model.positions[call]))
    switch = benchmark_switch(model)
    if sites:
        labels = [Label("and here", site) for site in sites[1:3]]
        labels += [Label("cuDNN tunes again for each new shape", switch)] if switch is not None else []
        plan, reason = _plan(model)
        values = {"call": model.short(sites[0])}
        plans = (plan,) if plan is not None else ()
        giver = varying[sites[0]]
        yield Match(sites[0], values, labels=tuple(labels), plans=plans, no_fix=reason, giver=giver)
    elif switch is not None and (loader := _with_rest(model)) is not None:
        yield Match(switch, {"loader": model.short(loader)}, "rest", (Label("the loader", loader),))


def _is_settled(model: ScriptModel) -> bool:
    """Whether the file chooses how the allocator works, or is for what expandable segments do not go with."""
    chosen = "ALLOC_CONF" in model.text or "expandable_segments" in model.text
    windows = any(is_text(node, *_OTHER_SYSTEMS) for node in model.names.every(cst.SimpleString))
    shares = "share_memory_" in model.identifiers or model.imports("torch_memory_saver")
    return chosen or windows or shares or any(True for _ in model.names.references("torch.multiprocessing.*"))


def _with_rest(model: ScriptModel) -> cst.Call | None:
    """A loader of the training whose last batch may be smaller than the others."""
    for loader in loaders(model):
        node = loader.node
        if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
            continue
        drop = loader_argument(model, loader, "drop_last")
        own = loader_argument(model, loader, "batch_sampler") is not None
        if not own and (drop is None or literal(drop) is False) and _is_trained_on(model, loader):
            return node
    return None


def _is_trained_on(model: ScriptModel, loader: Obj) -> bool:
    """Whether a training loop of the file goes through a loader itself."""
    iterated = model.trace.iterated.get(loader.id, set())
    return any(kind == "training" and loop in iterated for loop, kind in batch_loops(model).items())


def _plan(model: ScriptModel) -> tuple[Plan | None, str]:
    """The setting above the first import that loads torch, in the file that starts the program."""
    before = first_import(model)
    starts = model.has_main_guard or any(
        loop.frame.node is model.module for loop, kind in batch_loops(model).items() if kind == "training"
    )
    if before is None or not starts or model.notebook:
        return None, "the setting belongs above the first import of the program, which is not this file"
    code = _SETTING if _imports_os(model, before) else f"import os\n{_SETTING}"
    change = InsertBefore(before, code)
    return Plan(Applicability.UNSAFE, "let segments grow", (change,), _CAUTION), ""


def _imports_os(model: ScriptModel, before: cst.CSTNode) -> bool:
    """Whether the module imports `os` above a statement."""
    rank = model.positions
    names = (
        (node, alias)
        for node in model.names.every(cst.Import)
        for alias in node.names
        if model.parent(model.parent(node) or node) is model.module
    )
    return any(a.evaluated_name == "os" and a.asname is None and rank[n] < rank[before] for n, a in names)
