"""Devices that are no literal: an option, a rank or a parameter chooses them where the code is started.

Nobody passes a device around for a program that knows the CPU only, so such a choice means an accelerator.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition, option_of
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.value_sources import call_graph, value_sources
from memlint.analysis.knowledge import device_hints, hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.values import Ref, options_of
from memlint.syntax.arguments import argument, argument_for, keyword
from memlint.syntax.expressions import is_text, item_key
from memlint.syntax.tree import dotted, last_name

_RANKS = frozenset({"LOCAL_RANK", "RANK", "SLURM_LOCALID", "SLURM_PROCID", "OMPI_COMM_WORLD_LOCAL_RANK"})
_RANK_CALLS = ("torch.distributed.get_rank", "torch.distributed.get_node_local_rank")


def takes_chosen_device(model: ScriptModel) -> bool:
    """Whether something is moved to, or made on, a device that is chosen where the program is started."""
    for call in model.names.calls:
        for written in _devices_written(model, call):
            named = device_hints.DEVICE_INDEX.search(_shown_name(written)) is not None
            sure = named or _moves_module(model, call)
            if any(_is_choice(model, source, sure) for source in value_sources(model, written)):
                return True
    return False


def moves_where_callers_say(model: ScriptModel) -> bool:
    """Whether a module is moved to a parameter that is the CPU unless a caller says otherwise.

    A function that the file itself calls, each time without the argument, does run on the CPU.
    """
    for call in model.names.calls:
        for written in _devices_written(model, call):
            params = [s.node for s in value_sources(model, written) if isinstance(s.node, cst.Param)]
            chosen = (p for p in params if _is_on_cpu(p) and _may_be_passed(model, p))
            if any(chosen) and _moves_module(model, call):
                return True
    return False


def _may_be_passed(model: ScriptModel, param: cst.Param) -> bool:
    """Whether a call passes an argument for a parameter, or none of the function's calls is in view."""
    function = model.function_of(param)
    owner = model.class_of(function) if function is not None else None
    if function is None:
        return False
    named = owner if owner is not None and function.name.value == "__init__" else function
    calls = call_graph(model).named(named.name.value)
    passed = [argument_for(call, function, param.name.value) for call in calls]
    return not calls or any(value is not None and not is_text(value, "cpu") for value in passed)


def _shown_name(written: cst.BaseExpression) -> str:
    """The name of what is read: of a variable, an attribute, or an entry such as `config["device"]`."""
    key = item_key(written) if isinstance(written, cst.Subscript) else None
    return key if isinstance(key, str) else last_name(written)


def _devices_written(model: ScriptModel, call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The expressions by which a call names a device."""
    func = call.func
    if type(func) is cst.Attribute and func.attr.value == "to":
        written = argument(call, 0, "device")
    elif model.path_of(func).startswith("torch.") or _is_base_constructor(func):
        written = keyword(call, "device")
    else:
        written = None
    if written is not None:
        yield from _indices(model, written)
    ids = keyword(call, "device_ids")
    if isinstance(ids, cst.List):
        yield from (element.value for element in ids.elements)


def _is_base_constructor(func: cst.BaseExpression) -> bool:
    """Whether a call is `super().__init__(...)`: the base class keeps the device for what it moves."""
    owner = func.value if isinstance(func, cst.Attribute) and func.attr.value == "__init__" else None
    return isinstance(owner, cst.Call) and dotted(owner.func) == "super"


def _indices(model: ScriptModel, written: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """A device as written; what `torch.device(...)` is given for one that is made there."""
    for source in value_sources(model, written):
        call = source.node
        if isinstance(call, cst.Call) and call.args and model.path_of(call.func) == "torch.device":
            yield call.args[-1].value
    yield written


def _moves_module(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call of `.to` moves a module: what it is given is a device then, or a dtype."""
    return any(
        isinstance(option, Ref) and option.obj.kind == "module"
        for event in model.trace.calls.values()
        if event.node is call and event.owner is not None
        for option in options_of(event.owner)
    )


def _is_choice(model: ScriptModel, source: Definition, sure: bool) -> bool:
    """Whether a device comes from an option without a default, a parameter, a rank or a configuration.

    `sure` says that it is a device, by what is moved there or by its name; else it may be another tensor.
    """
    node = source.node
    if isinstance(node, cst.Param):
        return sure and source.kind == "param" and not _is_other(node)
    if isinstance(node, cst.Call):
        return bool(option_of(node)) or _is_rank(model, node) or (sure and _asks_elsewhere(model, node))
    if isinstance(node, cst.Subscript):
        return _is_rank(model, node) or (sure and _is_settings(model, node.value))
    return sure and isinstance(node, cst.Attribute) and _is_settings(model, node.value)


def _is_other(param: cst.Param) -> bool:
    """Whether a parameter is a dtype, or runs on the CPU unless somebody says otherwise."""
    return _is_on_cpu(param) or "dtype" in param.name.value


def _is_on_cpu(param: cst.Param) -> bool:
    return isinstance(param.default, cst.SimpleString) and param.default.evaluated_value == "cpu"


def _is_rank(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression reads the rank of the process: `int(os.environ["LOCAL_RANK"])`."""
    for part in model.walk(node):
        if isinstance(part, cst.SimpleString) and part.evaluated_value in _RANKS:
            return True
        if isinstance(part, cst.Call) and model.path_of(part.func) in _RANK_CALLS:
            return True
    return False


def _asks_elsewhere(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a function out of view chooses the device: `utils.pick_device()`."""
    path = model.path_of(call.func)
    known = path.startswith(("torch.", "builtins.")) or definition(model, call.func) is not None
    return bool(path) and not known and device_hints.DEVICE_INDEX.search(path.rpartition(".")[2]) is not None


def _is_settings(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether an object holds the options of a script, `config["training"]`, or the device that a framework
    gave it."""
    while isinstance(node, cst.Subscript) and isinstance(item_key(node), str):
        node = node.value
    name = dotted(node)
    if hints.OPTIONS_OBJECT.search(name) or kind_of(model, node) == "engine":
        return True
    given = (source.node for source in value_sources(model, node))
    return any(isinstance(p, cst.Param) and p.annotation is not None and _are_options(p) for p in given)


def _are_options(param: cst.Param) -> bool:
    """Whether a parameter's annotation names the class of its options: `ls: TrainingSettings`."""
    named = param.annotation.annotation if param.annotation is not None else None
    name = last_name(named) if named is not None else ""
    return bool(hints.OPTIONS_CLASS.search(name))
