"""Where the loads of checkpoints put the tensors: as they say themselves, or in modules of other files."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.functions import parameters
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.project.outline import Outline
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import calls_one, literal, mentions, same, speaks_of
from memlint.syntax.tree import last_name

LOADS = ("torch.load", "torch.serialization.load")


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


def _speaks_of_cuda(outline: Outline) -> bool:
    """Whether a file names the device itself, or takes it from another one."""
    return "cuda" in outline.text or any("device" in name.lower() for name in outline.imports)


def has_map_location(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call says where to put the tensors, or may do so in keywords that cannot be seen. What comes
    with the code has no device of its own."""
    if any(arg.star for arg in call.args) or _comes_with_the_code(model, call):
        return True
    value = argument(call, 1, "map_location")
    return value is not None and not _is_left_out_with_cuda(model, value)


def is_placed(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call chooses a device other than the CPU: who only cares for the CPU where there is no GPU
    leaves it to the file where there is one."""
    value = argument(call, 1, "map_location")
    return has_map_location(model, call) and (value is None or not _is_cpu(model, value))


def _is_left_out_with_cuda(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether an argument is None, always or where another choice is the CPU: `None if cuda else "cpu"`."""
    choices = [value] if literal(value) is None else _choices(model, value)
    left_out = [choice for choice in choices if literal(choice) is None]
    return bool(left_out) and all(c in left_out or _is_cpu(model, c) for c in choices)


def _choices(model: ScriptModel, value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that an argument may stand for; none where not all of them are in view."""
    found: list[cst.BaseExpression] = []
    for source in value_sources(model, value):
        if source.kind != "value" or not isinstance(source.node, cst.BaseExpression):
            return []
        found.append(source.node)
    return found


def _is_cpu(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a `map_location` is the CPU in each case: its name, its device, or a function that leaves all
    where it was read."""
    choices = _choices(model, value)
    return bool(choices) and all(_names_cpu(choice) for choice in choices)


def _names_cpu(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Lambda):
        first = node.params.params[0].name.value if node.params.params else ""
        return bool(first) and isinstance(node.body, cst.Name) and node.body.value == first
    if isinstance(node, cst.Call) and last_name(node.func) == "device" and node.args:
        node = node.args[0].value
    return literal(node) == "cpu"


def _comes_with_the_code(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a file lies beside the code: `os.path.join(os.path.dirname(__file__), "net.pt")`."""
    if not call.args:
        return False
    path = call.args[0].value
    sources = (path, *(source.node for source in value_sources(model, path)))
    return any(mentions(source, "__file__") for source in sources)


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
