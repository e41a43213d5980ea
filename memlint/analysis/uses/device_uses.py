"""Whether what a container holds may be used together with something that stays on the device."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.expressions import UNKNOWN, literal
from memlint.syntax.tree import last_name

_LEAVES = frozenset("cpu numpy tolist item append extend clear size dim numel element_size".split())
_FACTS = frozenset("shape dtype ndim device is_cuda".split())
_HOST_PACKAGES = ("numpy.", "sklearn.", "scipy.", "pandas.", "json.", "pickle.", "logging.", "matplotlib.")
_HOST_FUNCTIONS = frozenset("print len str repr isinstance type float int".split())
_SAVES = ("torch.save", "torch.is_tensor")
_LISTS = frozenset("list tuple enumerate reversed sorted".split())
_DEPTH = 12


def may_need_device(model: ScriptModel, reads: Iterable[cst.CSTNode]) -> bool:
    """Whether a value that is read there may meet another tensor, or code out of view, before it leaves.

    It leaves by `.cpu()` and the like, to a file or a text, or with the function's result.
    """
    return any(_may_need(model, read, _DEPTH) for read in reads)


def _may_need(model: ScriptModel, node: cst.CSTNode, depth: int) -> bool:
    return depth == 0 or any(_is_met(model, use, depth) for use in uses_of(model, node))


def _is_met(model: ScriptModel, use: Use, depth: int) -> bool:
    match use.how:
        case "returned" | "dropped" | "tested":
            return False
        case "part":
            assert isinstance(use.node, cst.Subscript)
            return not _is_plain_index(use.node) or _may_need(model, use.node, depth - 1)
        case "member":
            return _may_need(model, use.node, depth - 1)
        case "attribute":
            return use.name not in _FACTS and _may_need(model, use.node, depth - 1)
        case "computed" | "compared":
            return not _is_alone(use.node) or _may_need(model, use.node, depth - 1)
        case "method":
            assert isinstance(use.node, cst.Call)
            moved = use.name in _LEAVES or (use.name == "to" and _names_host(use.node))
            return not moved and (not _are_plain(use.node.args) or _may_need(model, use.node, depth - 1))
        case "argument":
            assert isinstance(use.node, cst.Call)
            return _is_met_in_call(model, use.node, use.arg, depth)
    return True


def _is_met_in_call(model: ScriptModel, call: cst.Call, given: cst.Arg | None, depth: int) -> bool:
    path, name = model.path_of(call.func), last_name(call.func)
    if path in _SAVES or path.startswith(_HOST_PACKAGES) or (path == "" and name in _HOST_FUNCTIONS):
        return False
    plain = isinstance(call.func, cst.Name) and name in _HOST_FUNCTIONS
    if plain:
        return False
    of_torch = path.startswith("torch.") and not path.startswith("torch.distributed.")
    if not (of_torch or (isinstance(call.func, cst.Name) and name in _LISTS)):
        return True
    others = [arg for arg in call.args if arg is not given]
    return not _are_plain(others) or _may_need(model, call, depth - 1)


def _are_plain(args: Iterable[cst.Arg]) -> bool:
    """Whether all arguments are numbers, texts and the like."""
    return all(not arg.star and literal(arg.value) is not UNKNOWN for arg in args)


def _is_plain_index(part: cst.Subscript) -> bool:
    """Whether a value is indexed with slices and numbers, not with another tensor."""
    indices = (element.slice for element in part.slice)
    return all(not isinstance(i, cst.Index) or literal(i.value) is not UNKNOWN for i in indices)


def _names_host(call: cst.Call) -> bool:
    return any(literal(arg.value) == "cpu" for arg in call.args)


def _is_alone(node: cst.CSTNode) -> bool:
    """Whether the other operand of an expression is a number or None."""
    if isinstance(node, cst.UnaryOperation):
        return True
    if isinstance(node, cst.BinaryOperation):
        return any(literal(side) is not UNKNOWN for side in (node.left, node.right))
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        sides = (node.left, node.comparisons[0].comparator)
        return any(literal(side) is not UNKNOWN for side in sides)
    return False
