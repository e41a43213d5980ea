"""Replacing `itertools.cycle(loader)` by a generator that begins a new epoch each time round."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.moves import unused_import
from memlint.analysis.fixes.new_functions import add_function
from memlint.analysis.knowledge import data_hints
from memlint.analysis.match import Change, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.loader_values import is_guess
from memlint.analysis.values import Value
from memlint.detect.loading.loader_expressions import is_iterator
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, last_name

_FOREVER = "forever"


def endless(model: ScriptModel, node: cst.Call, value: Value) -> Plan | str:
    """Replace `itertools.cycle(loader)` by a generator that begins a new epoch each time; else why not, ""
    for what is not special. Of an iterator, or a generator, such a loop would wait for ever."""
    given = node.args[0].value
    if isinstance(given, cst.Call) and dotted(given.func) == "iter" and len(given.args) == 1:
        given = given.args[0].value
    if not isinstance(given, (cst.Name, cst.Attribute)) or len(node.args) != 1:
        return ""
    if is_guess(value) or is_iterator(model, given):
        return f"memlint cannot see that `{model.code(given)}` can be gone through more than once"
    changes: tuple[Change, ...] = (
        Replace(node, f"{_FOREVER}({model.code(given)})"),
        *unused_import(model, node.func),
    )
    if not _defines_endless(model):
        code = f"def {_FOREVER}(loader):\n    while True:\n        yield from loader\n\n\n"
        made = add_function(model, node, code)
        if _FOREVER in model.identifiers or made is None:
            return ""
        changes = (made, *changes)
    return Plan(
        Applicability.UNSAFE,
        "begin a new epoch of the loader each time",
        changes,
        "a shuffling loader then gives a new order in every epoch, which is usually wanted",
    )


def _defines_endless(model: ScriptModel) -> bool:
    return any(
        isinstance(s, cst.FunctionDef) and s.name.value == _FOREVER and model.every(cst.From, s)
        for s in model.module.body
    )


def is_made_as_loader(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether a function that makes loaders by its name, `get_dataloader(x)`, gives a value."""
    made = [d.node for d in value_sources(model, node)]
    return bool(made) and all(
        isinstance(call, cst.Call) and data_hints.MAKES_LOADER.search(last_name(call.func)) for call in made
    )
