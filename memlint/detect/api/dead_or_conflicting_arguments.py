"""MEM906: arguments that do nothing any more, or that exclude one another."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.fixes.keyword_tables import given, plan
from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Change, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule, version_fits
from memlint.detect.api.loader_calls import Conflict, conflicts
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords

_ERRORS = frozenset({"ValueError", "AssertionError", "TypeError"})
_OLD_VARIABLE = "PYTORCH_CUDA_ALLOC_CONF"
_NEW_VARIABLE = "PYTORCH_ALLOC_CONF"
_NEW_WORKS = (2, 10)
_MODEL_CLASS = re.compile(
    r"^transformers\.(\w+\.)*(?!\w*(Tokenizer|Processor|Config|Extractor))\w*(Model|For[A-Z])\w*"
    r"\.(from_pretrained|from_config)$|^transformers\.(pipelines\.)?pipeline$"
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The arguments of the rule's table, those of transformers models, and DataLoader conflicts."""
    table = Table(model)
    for entry in rule.matches:
        if model.target_torch is None or version_fits(model.target_torch, entry.get("torch", "")):
            for api, call, arg in given(table, entry):
                found = plan(model, entry, call, arg)
                values = {"api": api.rpartition(".")[2], "keyword": entry["with-keyword"][0]}
                yield Match(arg, values, entry["variant"], plans=(found,) if found else ())
    yield from _transformers(model)
    for conflict in conflicts(table):
        if not is_guarded(model, conflict.call, errors=_ERRORS):
            yield _conflict(model, conflict)
    if _OLD_VARIABLE in model.text:
        yield from _allocator_variable(model)
    yield from _redundant(model)


# --- the DataLoader -----------------------------------------------------------------------------------


def _conflict(model: ScriptModel, found: Conflict) -> Match:
    values = {"keyword": found.name, "other": found.other}
    variant = {"exclusive": "conflict", "iterable": "conflict"}.get(found.kind, found.kind)
    if found.arg.keyword is None:
        return Match(found.arg, values, variant)
    caution = {"workers": "to keep the argument, set `num_workers` above 0 instead"}.get(found.kind, "")
    change = without_keywords(model, found.call, frozenset({found.name}))
    fix = Plan(Applicability.UNSAFE, f"drop `{found.name}=`", (change,), caution)
    return Match(found.arg, values, variant, plans=() if found.kind == "maybe" else (fix,))


# --- transformers -------------------------------------------------------------------------------------


def _transformers(model: ScriptModel) -> Iterator[Match]:
    if not model.imports("transformers"):
        return
    for call in model.names.calls:
        if not keywords(call) & {"torch_dtype", "low_cpu_mem_usage"}:
            continue
        path = _class_path(model, call)
        if not _MODEL_CLASS.match(path) or is_guarded(model, call, errors=_ERRORS):
            continue
        for arg in call.args:
            name = arg.keyword.value if arg.keyword is not None else ""
            values = {"api": path.rpartition(".")[2], "keyword": name}
            if name == "torch_dtype":
                yield Match(arg, values, "renamed", plans=_dtype(model, call, arg))
            elif name == "low_cpu_mem_usage":
                change = without_keywords(model, call, frozenset({name}))
                caution = "an older transformers still reads it"
                yield Match(arg, values, plans=(_unsafe(f"drop `{name}=`", change, caution),))


def _class_path(model: ScriptModel, call: cst.Call) -> str:
    """The dotted name of what is called; for a class of the file that of its first base."""
    path = model.names.one(call.func)
    if path or not isinstance(call.func, cst.Attribute):
        return path
    for node in model.module.body:
        if isinstance(node, cst.ClassDef) and node.name.value == model.code(call.func.value) and node.bases:
            return f"{model.names.one(node.bases[0].value)}.{call.func.attr.value}"
    return ""


def _dtype(model: ScriptModel, call: cst.Call, arg: cst.Arg) -> tuple[Plan, ...]:
    if "dtype" in keywords(call):
        return ()
    change = Replace(arg, f"dtype={model.code(arg.value)}")
    return (_unsafe("write `dtype=`", change, "an older transformers knows only `torch_dtype`"),)


def _unsafe(title: str, change: Change, caution: str) -> Plan:
    return Plan(Applicability.UNSAFE, title, (change,), caution)


# --- arguments that say what holds anyway -------------------------------------------------------------


def _allocator_variable(model: ScriptModel) -> Iterator[Match]:
    """Where the environment variable is set under its old name, for a torch that reads the new one."""
    target = model.target_torch
    if target is not None and target < (2, 9):
        return
    for node in model.names.every(cst.SimpleString):
        if node.evaluated_value != _OLD_VARIABLE:
            continue
        if not _is_set(model, node):
            continue
        change = Replace(node, f'"{_NEW_VARIABLE}"')
        known = target is not None and target >= _NEW_WORKS
        fix = _unsafe(f"set {_NEW_VARIABLE}", change, "torch 2.9 and older ignore the new name")
        yield Match(node, {"keyword": _OLD_VARIABLE}, "variable", plans=(fix,) if known else ())


def _is_set(model: ScriptModel, node: cst.SimpleString) -> bool:
    """Whether `os.environ[name] = ...`, `setdefault(name, ...)` or `putenv(name, ...)` stands around it."""
    for above in model.ancestors(node):
        if isinstance(above, cst.Subscript):
            return isinstance(model.parent(above), cst.AssignTarget) and _is_environ(model, above.value)
        if isinstance(above, cst.Call):
            path = model.names.one(above.func)
            return path in ("os.environ.setdefault", "os.putenv") and above.args[0].value is node
        if isinstance(above, cst.BaseStatement):
            return False
    return False


def _is_environ(model: ScriptModel, node: cst.BaseExpression) -> bool:
    return model.names.one(node) == "os.environ"


def _redundant(model: ScriptModel) -> Iterator[Match]:
    """`zero_grad(set_to_none=True)`, which is what zero_grad does since torch 2.0."""
    target = model.target_torch
    if target is not None and target < (2, 0):
        return
    known = {id(zero.node) for zero in model.trace.zeros.values() if zero.target is not None}
    for call in model.names.calls:
        func = call.func
        if type(func) is not cst.Attribute or func.attr.value != "zero_grad" or len(call.args) != 1:
            continue
        arg = call.args[0]
        if arg.keyword is None or arg.keyword.value != "set_to_none" or model.code(arg.value) != "True":
            continue
        if id(call) in known:
            change = without_keywords(model, call, frozenset({"set_to_none"}))
            kind = Applicability.SAFE if target is not None else Applicability.UNSAFE
            caution = "" if target is not None else "needs torch 2.0 or newer"
            fix = Plan(kind, "drop `set_to_none=True`", (change,), caution)
            yield Match(arg, {"keyword": "set_to_none"}, "redundant", plans=(fix,))
