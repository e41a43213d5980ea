"""What the loads of checkpoints say with `map_location`."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.definitions import definition_index
from memlint.analysis.dataflow.guards import is_not_none
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument, parameters
from memlint.syntax.expressions import literal, mentions, words_of
from memlint.syntax.tree import dotted, last_name


def has_map_location(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call says where to put the tensors, or may do so in keywords that cannot be seen. What comes
    with the code has no device of its own."""
    if any(arg.star for arg in call.args) or _comes_with_the_code(model, call):
        return True
    value = argument(call, 1, "map_location")
    return value is not None and not _is_left_out_with_cuda(model, value)


def maps_without_gpu(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call has the CPU in one case, and nothing where there is a GPU."""
    value = argument(call, 1, "map_location")
    return value is not None and literal(value) is not None and _is_left_out_with_cuda(model, value)


def sees_to_the_cpu(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a load says `map_location`, and leaves it at None only where there is a GPU."""
    value = argument(call, 1, "map_location")
    choices = _choices(model, value) if value is not None and maps_without_gpu(model, call) else []
    return any(literal(choice) is not None for choice in choices)


def is_placed(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call chooses a device other than the CPU: who only cares for the CPU where there is no GPU
    leaves it to the file where there is one, and an option of the caller is left at None as a rule."""
    value = argument(call, 1, "map_location")
    chosen = value is None or not (_is_cpu(model, value) or is_not_none(model, value))
    return (chosen or isinstance(value, cst.Attribute)) and has_map_location(model, call)


def _is_left_out_with_cuda(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether an argument is None, always or where another choice is the CPU: `None if cuda else "cpu"`."""
    if is_not_none(model, value):
        return False
    choices = [value] if literal(value) is None else _choices(model, value)
    left_out = [choice for choice in choices if literal(choice) is None]
    return bool(left_out) and all(c in left_out or _is_cpu(model, c) for c in choices)


def _choices(model: ScriptModel, value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that an argument may stand for; none where not all of them are in view."""
    found: list[cst.BaseExpression] = []
    if _is_set_by_callers(model, value):
        return found
    for source in value_sources(model, value):
        if source.kind != "value" or not isinstance(source.node, cst.BaseExpression):
            return []
        found.append(source.node)
    return found


def _is_set_by_callers(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a method sets an attribute of its object to what it is given, whatever its default is."""
    owner = model.class_of(value)
    if owner is None or not isinstance(value, cst.Attribute) or dotted(value.value) != "self":
        return False
    given = [d.node for d in definition_index(model).attributes.get((id(owner), value.attr.value), ())]
    names = [node for node in given if isinstance(node, cst.Name)]
    functions = ((node.value, model.function_of(node)) for node in names)
    return any(function is not None and name in parameters(function) for name, function in functions)


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
    """Whether a file lies beside the code, `os.path.join(os.path.dirname(__file__), "net.pt")`, or was
    published by its name, which ends in a hash, `vgg16-397923af.pth`: such files are written on the CPU."""
    if not call.args:
        return False
    path = call.args[0].value
    sources = (path, *(source.node for source in value_sources(model, path)))
    return any(
        mentions(source, "__file__") or any(map(hints.PUBLISHED_WEIGHTS.search, words_of(source)))
        for source in sources
    )


def why_it_stays(model: ScriptModel, call: cst.Call) -> str:
    """Why no other `map_location` is written into a call; "" where it may be: what callers give would be
    ignored, or the lines that set a variable for this alone would say nothing."""
    value = argument(call, 1, "map_location")
    scope = model.function_of(value) if isinstance(value, cst.Name) else None
    if scope is None or not isinstance(value, cst.Name):
        return ""
    if value.value in parameters(scope):
        return f"callers may choose the device with `{value.value}`"
    keywords = {arg.keyword for arg in model.every(cst.Arg, scope.body)}
    named = (n for n in model.every(cst.Name, scope.body) if n.value == value.value and n not in keywords)
    read = [name for name in named if not model.is_target(name)]
    return f"nothing else reads `{value.value}`" if read == [value] else ""
