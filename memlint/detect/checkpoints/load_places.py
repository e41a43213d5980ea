"""Where the loads of checkpoints put the tensors: as they say themselves, or in modules of other files."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.functions import parameters
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.detect.checkpoints.map_locations import has_map_location, maps_without_gpu
from memlint.project.outline import Outline
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_one, is_text, same, speaks_of

LOADS = ("torch.load", "torch.serialization.load")


def own_loads(model: ScriptModel) -> list[cst.Call]:
    """The calls of `torch.load` in the file."""
    return [
        call
        for path in LOADS
        for node in model.names.references(path)
        if isinstance(call := model.parent(node), cst.Call) and call.func is node and model.names.one(node)
    ]


def imported_loads(model: ScriptModel) -> dict[cst.Call, Called]:
    """The calls here that lead to such a load in a module which itself has nothing to do with CUDA."""
    found: dict[cst.Call, Called] = {}
    for event in calls_of(model, *LOADS):
        call, home, cross_module = event.node, model.home_call(event.frame), model.cross_module
        unit = cross_module.units.get(model.root_of(call)) if cross_module is not None else None
        if (
            cross_module is None
            or unit is None
            or not isinstance(home, cst.Call)
            or not isinstance(call, cst.Call)
        ):
            continue
        outline = cross_module.project.modules.outline(unit.path, cross_module.dependencies)
        if has_map_location(model, call) or in_device_context(model, call) or never_runs(model, home):
            continue
        if call.args and outline is not None and not _speaks_of_cuda(outline):
            found.setdefault(home, event)
    return found


def reckons_with_gpu(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a load in a file that names no GPU reckons with one: it maps the file only where there is none,
    or belongs to Lightning, whose trainer takes what GPUs there are."""
    if is_for_lightning(model, call):
        asked = (keyword(c, "accelerator") for c in model.names.calls)
        return not any(is_text(given, "cpu") for given in asked if given is not None)
    return bool(model.names.references("torch.cuda.is_available")) and maps_without_gpu(model, call)


def is_for_lightning(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a load is part of the `load_checkpoint` of a CheckpointIO, whose result Lightning hands to
    `load_state_dict` of its networks and optimizers."""
    function, owner = model.function_of(call), model.class_of(call)
    if function is None or owner is None or function.name.value != "load_checkpoint":
        return False
    paths = (model.path_of(base.value) for base in owner.bases)
    return any(p.startswith(_LIGHTNING) and p.endswith("CheckpointIO") for p in paths)


_LIGHTNING = ("pytorch_lightning.", "lightning.", "lightning_fabric.")


def _speaks_of_cuda(outline: Outline) -> bool:
    """Whether a file names the device itself, or takes it from another one."""
    return "cuda" in outline.text or any("device" in name.lower() for name in outline.imports)


def in_device_context(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a `with torch.device(...)` around the call says where to put the tensors."""
    return any(
        isinstance(above, cst.With) and any(calls_one(item.item, "device") for item in above.items)
        for above in model.ancestors(call)
    )


def is_same_file(model: ScriptModel, path: cst.BaseExpression, mapped: cst.BaseExpression) -> bool:
    """Whether two loads read the same file: the parameters of two functions are two paths."""
    if not same(path, mapped):
        return False
    if model.function_of(path) is model.function_of(mapped):
        return True
    functions = (model.function_of(path), model.function_of(mapped))
    given = {p.name.value for f in functions if f is not None for p in parameters(f)} - {"self", "cls"}
    return given.isdisjoint(model.names_in(path))


def is_quantised(model: ScriptModel, call: cst.Call) -> bool:
    """Whether quantised weights are loaded, by the name they get: they are made, and saved, on the CPU."""
    parent = model.parent(call)
    targets = [t.target for t in parent.targets] if isinstance(parent, cst.Assign) else []
    return any(speaks_of(part, hints.QUANTISED) for part in (*targets, call.args[0].value))


def saves_from_cpu(model: ScriptModel) -> bool:
    """Whether a function that saves something moves it to the CPU before."""
    saves = [model.parent(node) for node in model.names.references("torch.save")]
    scopes = [model.function_of(call) or call for call in saves if isinstance(call, cst.Call)]
    return any(calls_one(scope, "cpu") for scope in scopes)
