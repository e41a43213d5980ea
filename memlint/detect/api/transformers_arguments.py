"""Arguments of models of transformers that were renamed or do nothing any more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.fixes.rewrites import indented, without_keywords
from memlint.analysis.match import Change, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.tree import dotted

ERRORS = frozenset({"ValueError", "AssertionError", "TypeError"})
_MODEL_CLASS = re.compile(
    r"^transformers\.(\w+\.)*(?!\w*(Tokenizer|Processor|Config|Extractor))\w*(Model|For[A-Z])\w*"
    r"\.(from_pretrained|from_config)$|^transformers\.(pipelines\.)?pipeline$"
)


def transformers_arguments(model: ScriptModel) -> Iterator[Match]:
    """Arguments of Hugging Face model classes that were renamed or have no effect any more."""
    if not model.imports("transformers"):
        return
    for call in model.names.calls:
        if not keywords(call) & {"torch_dtype", "low_cpu_mem_usage"}:
            continue
        path = _class_path(model, call)
        if not _MODEL_CLASS.match(path) or is_guarded(model, call, errors=ERRORS):
            continue
        for arg in call.args:
            name = arg.keyword.value if arg.keyword is not None else ""
            values = {"api": path.rpartition(".")[2], "keyword": name}
            if name == "torch_dtype":
                yield Match(arg, values, "renamed", plans=_dtype(model, call, arg))
            elif name == "low_cpu_mem_usage":
                change = without_keywords(model, call, frozenset({name}))
                caution = "an older transformers still reads it"
                yield Match(arg, values, plans=(unsafe(f"drop `{name}=`", change, caution),))


def _class_path(model: ScriptModel, call: cst.Call) -> str:
    """The dotted name of what is called; for a class of the file that of its first base."""
    path = model.names.one(call.func)
    if path or not isinstance(call.func, cst.Attribute):
        return path
    for node in model.module.body:
        if isinstance(node, cst.ClassDef) and node.name.value == dotted(call.func.value) and node.bases:
            return f"{model.names.one(node.bases[0].value)}.{call.func.attr.value}"
    return ""


def _dtype(model: ScriptModel, call: cst.Call, arg: cst.Arg) -> tuple[Plan, ...]:
    if "dtype" in keywords(call):
        return ()
    change = Replace(arg, f"dtype={indented(model, arg, arg.value)}")
    return (unsafe("write `dtype=`", change, "an older transformers knows only `torch_dtype`"),)


def unsafe(title: str, change: Change, caution: str) -> Plan:
    """An unsafe plan of one change."""
    return Plan(Applicability.UNSAFE, title, (change,), caution)
