"""MEM503: CUDA_VISIBLE_DEVICES is set when nobody reads it any more, or to what was not meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import assigned_in, origins
from memlint.analysis.dataflow.execution_order import call_trace, is_conditional, place_in_module, ran_before
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.dataflow.settings import last_name, option_of
from memlint.analysis.facts import Called
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.cuda_starts import starts
from memlint.analysis.training.hardware.environment import Setting, first_import, hoisted, is_spawn, settings
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.arguments import argument, keyword

_NAME = "CUDA_VISIBLE_DEVICES"
_OTHERS = frozenset(
    "NVIDIA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_DEVICE_ORDER "
    "ASCEND_VISIBLE_DEVICES MUSA_VISIBLE_DEVICES".split()
)
# Packages whose import asks for the devices.
_EAGER = frozenset({"monai", "kornia", "bitsandbytes", "pycuda.autoinit", "unsloth"})
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


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Settings of the visible devices that come too late, or that do not say what was meant."""
    mine = [s for s in settings(model) if s.name == _NAME]
    for setting in settings(model):
        if setting.name != _NAME and _is_misspelt(model, setting.name):
            yield _misspelt(setting)
    for setting in mine:
        if _is_number(model, setting.value):
            yield Match(setting.node, {"value": model.short(setting.value)}, "number")
            continue
        late = _late(model, setting)
        if late is not None:
            yield late
            continue
        hidden = _hidden(model, setting)
        if hidden:
            yield Match(setting.node, {"value": str(setting.literal), "hidden": hidden}, "hides")
        elif len(mine) == 1:
            yield from _missing(model, setting)


# --- too late -----------------------------------------------------------------------------------------


def _late(model: ScriptModel, setting: Setting) -> Match | None:
    if setting.literal is not None and setting.literal.strip() in ("", "-1"):
        return None
    if _is_for_children(model, setting) or is_guarded(model, setting.node, errors=frozenset()):
        return None
    if not model.owns(setting.node) and is_conditional(model, setting.event):
        # A helper for choosing a device leaves one that is chosen alone.
        return None
    maybe: Called | None = None
    for event, sure in starts(model):
        before = ran_before(model, event, setting.event)
        if before == "yes" and sure:
            plan = _plan(model, setting, event)
            values = {"start": model.short(event.node, 32)}
            label = Label("CUDA starts here", event.node)
            return Match(setting.node, values, "default", (label,), plans=(plan,) if plan else ())
        if before != "no" and maybe is None:
            maybe = event
    if maybe is not None:
        values = {"start": model.short(maybe.node, 32)}
        return Match(setting.node, values, "perhaps", (Label("CUDA may start here", maybe.node),))
    for event in call_trace(model):
        package = event.path.removeprefix("import ")
        eager = event.path.startswith("import ") and (
            package in _EAGER or package.partition(".")[0] in _EAGER
        )
        if eager and ran_before(model, event, setting.event) == "yes":
            label = Label("this import may start CUDA", event.node)
            return Match(setting.node, {"start": f"import {package}"}, "import", (label,))
    return None


def _is_for_children(model: ScriptModel, setting: Setting) -> bool:
    """Whether a process that is started later gets the variable, or this code is what a process runs."""
    spawns = [event for event in call_trace(model) if is_spawn(event)]
    if any(ran_before(model, setting.event, event) != "no" for event in spawns):
        return True
    names = {f.name for f in setting.event.frame.chain()}
    handed = (n for e in spawns for n in model.walk(e.node) if type(n) is cst.Name)
    return any(name.value in names for name in handed)


def _plan(model: ScriptModel, setting: Setting, event: Called) -> Plan | None:
    place = place_in_module(event)
    changes = hoisted(model, setting, first_import(model))
    if changes is None and place is not None:
        changes = hoisted(model, setting, model.statement_of(place))
    if changes is None or next(iter(_missing(model, setting)), None) is not None:
        return None
    return Plan(Applicability.SAFE, "set it before anything starts CUDA", changes)


# --- wrong ----------------------------------------------------------------------------------------------


def _is_misspelt(model: ScriptModel, name: str) -> bool:
    if name in _OTHERS or abs(len(name) - len(_NAME)) > 3 or _distance(name.upper(), _NAME) > 3:
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


def _misspelt(setting: Setting) -> Match:
    plan = None
    if isinstance(setting.key, cst.SimpleString):
        quote = setting.key.quote
        plan = Plan(
            Applicability.UNSAFE,
            f"write `{_NAME}`",
            (Replace(setting.key, f"{quote}{_NAME}{quote}"),),
            "from then on the setting has its effect",
        )
    return Match(setting.node, {"name": setting.name}, "misspelt", plans=(plan,) if plan else ())


def _is_number(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a value is an integer or a list: the environment takes strings only."""
    if isinstance(value, (cst.Integer, cst.List)):
        return True
    if isinstance(value, cst.Name):
        found = origins(model, value)
        if _is_annotated(model, value):
            return True
        return bool(found) and all(o.how == "value" and isinstance(o.node, cst.Integer) for o in found)
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
    return any(p.annotation is not None and model.code(p.annotation.annotation) == "int" for p in said)


def _hidden(model: ScriptModel, setting: Setting) -> str:
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


def _missing(model: ScriptModel, setting: Setting) -> Iterator[Match]:
    """A device of a higher number than the value leaves visible."""
    parts = [part.strip() for part in (setting.literal or "").split(",")]
    if not setting.firm or not all(p.isdecimal() for p in parts) or is_conditional(model, setting.event):
        return
    if _is_for_children(model, setting):
        return
    for node, number in _devices(model):
        if number >= len(parts):
            values = {"value": str(setting.literal), "device": f"cuda:{number}", "visible": str(len(parts))}
            yield Match(setting.node, values, "missing", (Label("there is no such device", node),))
            return


def _devices(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, int]]:
    """Every device that the file names by a literal number."""
    for node in model.names.every(cst.SimpleString):
        if re.fullmatch(r"cuda:\d+", node.value[1:-1]) and _is_device(model, node):
            yield node, int(node.value[6:-1])
    for call in model.names.calls:
        name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        path = model.names.one(call.func)
        value: cst.BaseExpression | None = None
        if (name == "cuda" and len(call.args) == 1) or path == "torch.cuda.set_device":
            value = call.args[0].value if call.args else None
        elif path == "torch.device" and call.args and model.code(call.args[0].value)[1:-1] == "cuda":
            value = argument(call, 1, "index")
        if isinstance(value, cst.Integer):
            yield value, int(value.evaluated_value)


def _is_device(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a string is used as a device here, not compared, mapped from, or offered as an option."""
    parent = model.parent(node)
    if isinstance(parent, cst.IfExp):
        return parent.test is not node and _is_device(model, parent)
    if isinstance(parent, cst.Assign):
        return any(re.search(r"dev|gpu|cuda", last_name(t.target), re.IGNORECASE) for t in parent.targets)
    call = model.parent(parent) if isinstance(parent, cst.Arg) else None
    if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call):
        return False
    if parent.keyword is not None:
        return parent.keyword.value in ("device", "map_location")
    return last_name(call.func) in ("device", "to", "cuda", "set_device", "set_default_device")
