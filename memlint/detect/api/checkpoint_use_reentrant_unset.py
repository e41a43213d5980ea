"""MEM905: activation checkpointing that leaves it to torch which of its two ways is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Kind
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import literal

_ARGUMENT = "use_reentrant"
_GRADS_ON = re.compile(r"enable_input_require_grads|\.requires_grad_\((True)?\)|\.requires_grad\s*=\s*True")
_ONE = "torch.utils.checkpoint.checkpoint"
_SEQUENTIAL = "torch.utils.checkpoint.checkpoint_sequential"
_KNOWN = {
    _ONE: {"function", "preserve_rng_state", "determinism_check", "early_stop"},
    _SEQUENTIAL: {"functions", "segments", "input", "preserve_rng_state"},
}
"""The keywords that the reentrant way takes; for any other one it raises ValueError."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls without `use_reentrant`, and reentrant ones whose inputs carry no gradient."""
    table = Table(model)
    for use in table.uses({"api": [_ONE, _SEQUENTIAL]}):
        call = model.parent(use.node)
        if use.how != "call" or not isinstance(call, cst.Call) or not _is_plain(use.api, call):
            continue
        if table.protected(use) or _asks_for_signature(model):
            continue
        given = keywords(call)
        values = {"api": use.api.rpartition(".")[2]}
        if _is_untrained(model, call) and _is_reentrant(model, call):
            yield Match(use.node, values, "untrained", plans=_plans(model, call, False, Applicability.UNSAFE))
        elif _ARGUMENT in given:
            continue
        elif (wrong := _misspelt(call)) is not None:
            yield _match_misspelt(model, use.node, wrong, values)
        elif given - _KNOWN[use.api]:
            values["keyword"] = sorted(given - _KNOWN[use.api])[0]
            yield Match(use.node, values, "keyword", plans=_plans(model, call, False, Applicability.REPAIR))
        else:
            keep = _plans(model, call, True, Applicability.SAFE)
            yield Match(use.node, values, plans=keep + _plans(model, call, False, Applicability.UNSAFE))


def _misspelt(call: cst.Call) -> cst.Arg | None:
    """The argument whose name is `use_reentrant` with a letter too many, too few or wrong."""
    named = ((arg, arg.keyword.value) for arg in call.args if arg.keyword is not None)
    return next((arg for arg, name in named if get_close_matches(name, [_ARGUMENT], 1, 0.9)), None)


def _match_misspelt(model: ScriptModel, node: cst.CSTNode, arg: cst.Arg, values: dict[str, str]) -> Match:
    change = Replace(arg, f"{_ARGUMENT}={model.code(arg.value)}")
    plan = Plan(Applicability.REPAIR, f"write `{_ARGUMENT}`", (change,))
    wrong = arg.keyword.value if arg.keyword is not None else ""
    return Match(node, {**values, "keyword": wrong}, "misspelt", plans=(plan,))


def _is_plain(api: str, call: cst.Call) -> bool:
    """Whether a call shows all its keywords, and a function with something to run it on."""
    if any(arg.star == "**" for arg in call.args):
        return False
    positional = sum(arg.keyword is None for arg in call.args)
    return api == _ONE or positional < 4


def _asks_for_signature(model: ScriptModel) -> bool:
    """Whether the file looks whether this torch takes the argument: then it passes it where it can."""
    return "signature" in model.identifiers and f'"{_ARGUMENT}"' in model.text.replace("'", '"')


def _is_reentrant(model: ScriptModel, call: cst.Call) -> bool:
    said = [a for a in call.args if a.keyword is not None and a.keyword.value == _ARGUMENT]
    return not said or literal(said[0].value) is True


def _is_untrained(model: ScriptModel, call: cst.Call) -> bool:
    """Whether everything that a module is checkpointed on is data for sure, in a file that trains it."""
    if not model.trace.backwards or _GRADS_ON.search(model.text):
        return False
    return model.trace.checkpointed.get(id(call), Kind.MAYBE) < Kind.MAYBE


def _plans(model: ScriptModel, call: cst.Call, value: bool, kind: Applicability) -> tuple[Plan, ...]:
    caution = "" if value else "hooks, detached inputs and autograd.grad behave differently in this way"
    change = with_keyword(model, call, _ARGUMENT, str(value))
    return (Plan(kind, f"write `{_ARGUMENT}={value}`", (change,), caution),)
