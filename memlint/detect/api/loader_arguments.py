"""The arguments of a DataLoader call: by name, through `**options`, and whether they ask for something."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.constants import constant, sole_value, values_of
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place, reads_place
from memlint.syntax.tree import dotted


def arguments_by_name(call: cst.Call, positions: list[str]) -> dict[str, cst.Arg]:
    """The arguments of a call by the parameters at `positions` or by keyword; `*` and `**` by their stars."""
    found: dict[str, cst.Arg] = {}
    for number, arg in enumerate(call.args):
        if arg.star:
            found[arg.star] = arg
        elif arg.keyword is not None:
            found[arg.keyword.value] = arg
        elif number < len(positions):
            found[positions[number]] = arg
    return found


def spread_keywords(model: ScriptModel, node: cst.BaseExpression) -> dict[str, cst.BaseExpression] | None:
    """The keywords that `**node` gives, where the file writes them all in one place; None elsewhere."""
    if isinstance(node, cst.Name):
        found = sole_value(model, node)
        if found is None or re.search(rf"\b{node.value}(\[|\.(update|setdefault|pop)\(| \|=)", model.text):
            return None
        node = found
    if isinstance(node, cst.Dict):
        pairs = [e for e in node.elements if isinstance(e, cst.DictElement)]
        named = {str(e.key.evaluated_value): e.value for e in pairs if isinstance(e.key, cst.SimpleString)}
        return named if len(named) == len(node.elements) else None
    if isinstance(node, cst.Call) and dotted(node.func) == "dict":
        given = {a.keyword.value: a.value for a in node.args if a.keyword is not None}
        return given if len(given) == len(node.args) else None
    return None


def asks_for_workers(model: ScriptModel, name: str, value: object) -> bool:
    """Whether a value of this argument is an error in a loader without worker processes."""
    if name == "persistent_workers":
        return value is True
    if name == "timeout":
        return isinstance(value, (int, float)) and value > 0
    if name == "prefetch_factor":
        # Before torch 2.0 the default was 2, and giving it was no error.
        old = model.target_torch is not None and model.target_torch < (2, 0)
        return isinstance(value, int) and not (old and value == 2)
    return isinstance(value, str)


def torch_of(name: str, value: object) -> str:
    """The versions of torch in which a value that asks for workers does so; "" for all."""
    return ">=2.0" if name == "prefetch_factor" and value == 2 else ""


def is_given(model: ScriptModel, arg: cst.Arg) -> str:
    """Whether an argument is an object: "always", "sometimes" (None on other paths), "" if not known."""
    node = arg.value
    if isinstance(node, cst.Call):
        return "always" if _makes_sampler(node) else ""
    if isinstance(node, cst.IfExp):
        return "sometimes" if _is_choice(node) else ""
    if not isinstance(node, cst.Name):
        return ""
    values = values_of(model, node)
    if None in values:
        return ""
    kinds = {_kind(v) for v in values if v is not None}
    if kinds == {"made"}:
        return "always"
    return "sometimes" if "?" not in kinds and kinds & {"made", "either"} else ""


def _kind(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        return "made" if _makes_sampler(node) else "?"
    if isinstance(node, cst.IfExp):
        return "either" if _is_choice(node) else "?"
    return "none" if dotted(node) == "None" else "?"


def _is_choice(node: cst.IfExp) -> bool:
    return {_kind(node.body), _kind(node.orelse)} == {"made", "none"}


def _makes_sampler(call: cst.Call) -> bool:
    """Whether a call is the constructor of a sampler, rather than a function that may return None."""
    return dotted(call.func).rpartition(".")[2].endswith("Sampler")


def is_asked_about(model: ScriptModel, call: cst.Call, arg: cst.Arg) -> bool:
    """Whether a condition around a call asks for the sampler."""
    name = place(arg.value)
    tests = (a.test for a in model.ancestors(call) if isinstance(a, (cst.If, cst.IfExp)))
    return bool(name) and any(reads_place(test, [name]) for test in tests)


def rules_out_batch_sampler(model: ScriptModel, name: str, arg: cst.Arg) -> bool:
    """Whether an argument is an error beside `batch_sampler`."""
    known = constant(model, arg.value)
    if name == "sampler":
        return is_given(model, arg) == "always"
    if name == "batch_size":
        return isinstance(known, int) and known != 1
    return known is True
