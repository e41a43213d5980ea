"""What is wrong with a value or the name of CUDA_VISIBLE_DEVICES."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.definitions import option_of
from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.environment import Setting, settings
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import dotted, last_name

NAME = "CUDA_VISIBLE_DEVICES"
_OTHERS = frozenset(
    "NVIDIA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_DEVICE_ORDER "
    "ASCEND_VISIBLE_DEVICES MUSA_VISIBLE_DEVICES".split()
)
_HIDES = re.compile(
    r"\b(hid(e|es|ing)|disabl(e|es|ing)|exclud(e|es|ing)|block(s|ing)?|mask(s|ing)? (out|off)"
    r"|ignor(e|es|ing)|skip(s|ping)?|do(es)? ?n[o']t use|never use|without)\b[^.;]*?"
    r"(\b(gpu|card|device)s?\s*(no\.?|number|#|:)?\s*(?P<number>\d)\b"
    r"|\b(?P<ordinal>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)\s+(gpu|card|device))",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(except|but|other|others|all|every|rest|only|apart)\b", re.IGNORECASE)
_ORDINALS = {w: n for n, ws in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"))
             for w in ws.split()}  # fmt: skip


def is_misspelt(model: ScriptModel, name: str) -> bool:
    """Whether a variable of the environment is CUDA_VISIBLE_DEVICES with a slip of the keyboard."""
    if name in _OTHERS or abs(len(name) - len(NAME)) > 3 or _distance(name.upper(), NAME) > 3:
        return False
    # What the file reads back is a variable of its own.
    written = [n for n in model.names.every(cst.SimpleString) if n.value[1:-1] == name]
    return len(written) == len([s for s in settings(model) if s.name == name])


def _distance(a: str, b: str) -> int:
    """The number of letters to change, add or take away."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def is_number(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a value is an integer or a list: the environment takes strings only."""
    if isinstance(value, (cst.Integer, cst.List)):
        return True
    if isinstance(value, cst.Name):
        found = value_sources(model, value)
        if _is_annotated(model, value):
            return True
        return bool(found) and all(o.kind == "value" and isinstance(o.node, cst.Integer) for o in found)
    if not isinstance(value, cst.Attribute) or not isinstance(value.value, cst.Name):
        return False
    name = last_name(value)
    options = [call for call in model.names.calls if option_of(call) == name]
    kinds = {kind.value if isinstance(kind := keyword(c, "type"), cst.Name) else "" for c in options}
    changed = any(any(last_name(t.target) == name for t in n.targets) for n in model.names.every(cst.Assign))
    return kinds == {"int"} and not changed


def _is_annotated(model: ScriptModel, name: cst.Name) -> bool:
    """Whether a name is a parameter that is said to be an `int`, and nothing else is bound to it."""
    function = model.function_of(name)
    params = (*function.params.params, *function.params.kwonly_params) if function is not None else ()
    said = [p for p in params if p.name.value == name.value and p.annotation is not None]
    if function is None or not said or name.value in assigned_in(model, function.body):
        return False
    return any(p.annotation is not None and dotted(p.annotation.annotation) == "int" for p in said)


def hidden_device(model: ScriptModel, setting: Setting) -> str:
    """The words of a comment that wants to hide a GPU which the value makes the visible one."""
    line = model.statement_of(setting.node)
    if setting.literal is None or not isinstance(line, cst.SimpleStatementLine):
        return ""
    comments = [line.trailing_whitespace.comment, *(e.comment for e in line.leading_lines)]
    for comment in comments:
        found = _HIDES.search(comment.value) if comment is not None else None
        if comment is None or found is None or _BUT.search(comment.value):
            continue
        number = found["number"] or str(_ORDINALS.get((found["ordinal"] or "").lower(), ""))
        if number in [part.strip() for part in setting.literal.split(",")]:
            return found[0]
    return ""


def misspelt(setting: Setting) -> Match:
    """The match for a misspelt name, with the right one as its fix."""
    plan = None
    if isinstance(setting.key, cst.SimpleString):
        quote = setting.key.quote
        plan = Plan(
            Applicability.UNSAFE,
            f"write `{NAME}`",
            (Replace(setting.key, f"{quote}{NAME}{quote}"),),
            "from then on the setting has its effect",
        )
    return Match(setting.node, {"name": setting.name}, "misspelt", plans=(plan,) if plan else ())
