"""The calls that give a checkpoint, in this file or through a function that returns what it loads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.functions import returned
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted

_LOADERS = frozenset(
    "torch.load torch.serialization.load safetensors.torch.load_file torch.hub.load_state_dict_from_url "
    "torch.utils.model_zoo.load_url".split()
)


def checkpoint_calls(model: ScriptModel) -> Iterator[cst.Call]:
    """Calls that give a checkpoint, also through a function that returns what it loads."""
    direct = [c for c in model.names.calls if model.names.one(c.func) in _LOADERS]
    helpers = {f.name.value for f in filter(None, (_handing_out(model, c) for c in direct))}
    cross_module = set(_cross_module(model))
    for call in model.names.calls:
        helped = type(call.func) is cst.Name and call.func.value in helpers
        if call in direct or call in cross_module or helped:
            yield call


def _cross_module(model: ScriptModel) -> Iterator[cst.CSTNode]:
    """The calls in this file of another module's functions that return what they load."""
    for event in calls_of(model, *_LOADERS):
        home, caller = model.home_call(event.frame), event.frame.caller
        if home is None or caller is None or caller.cross_module or not isinstance(event.node, cst.Call):
            continue
        if _handing_out(model, event.node) is event.frame.node:
            yield home


def _handing_out(model: ScriptModel, call: cst.Call) -> cst.FunctionDef | None:
    """The function that returns what a call in it loads."""
    function, above = model.function_of(call), model.parent(call)
    if isinstance(above, cst.Return):
        return function
    if function is None or not isinstance(above, cst.Assign):
        return None
    name = dotted(above.targets[0].target)
    given = any(dotted(value) == name for value in returned(model, function))
    return function if name and given else None


def is_memory_mapped(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the file is mapped into memory instead of read."""
    return any(
        a.keyword is not None and a.keyword.value == "mmap" and literal(a.value) is not False
        for a in call.args
    )
