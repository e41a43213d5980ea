"""MEM705: a large model is built and its checkpoint read beside it: the weights are in host memory twice."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge.libraries import LARGE_LANGUAGE_MODELS
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.modules import parameter_count
from memlint.analysis.values import Obj, Ref, options_of
from memlint.catalogue import Rule
from memlint.detect.checkpoints.checkpoint_loads import is_memory_mapped
from memlint.detect.checkpoints.load_places import LOADS
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import is_text, speaks_of
from memlint.syntax.tree import last_name

_LARGE = 2**30
_NUMBER = 4
_ENTRY = frozenset({"get", "pop"})
_STREAMS = frozenset({"open", "BytesIO", "BufferedReader", "urlopen", "hf_open"})
_CAUTION = "needs torch 2.1, and a file in the zip format of `torch.save` that stays as it is meanwhile"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loads of a file whose tensors are copied into a model of a gigabyte or more that was built before."""
    if "init_empty_weights" in model.identifiers or _makes_empty(model):
        return
    seen: set[cst.CSTNode] = set()
    for event in calls_of(model, ".load_state_dict"):
        fill = event.node
        owners = [o.obj for o in options_of(event.owner) if isinstance(o, Ref)] if event.owner else []
        size = next((text for obj in owners if (text := _size(model, obj))), "")
        if not size or not isinstance(fill, cst.Call) or not fill.args or "assign" in keywords(fill):
            continue
        load = _load(model, fill.args[0].value)
        if load is None or load in seen or is_memory_mapped(model, load) or _is_quantised(model, load):
            continue
        seen.add(load)
        plan = _mapped(model, load)
        label = Label("the weights are copied here, beside those that the model was built with", fill)
        values = {"call": model.short(load), "size": size}
        reason = "" if plan else "only a file that is named by its path can be mapped"
        yield Match(load, values, labels=(label,), plans=(plan,) if plan else (), no_fix=reason)


def _size(model: ScriptModel, obj: Obj) -> str:
    """How large a model is where that is a gigabyte or more; "" for smaller ones and unknown sizes."""
    known = parameter_count(model, obj) * _NUMBER
    if known >= _LARGE:
        return f"{known / 1e9:.1f} GB"
    return "gigabytes" if LARGE_LANGUAGE_MODELS.match(obj.path) else ""


def _makes_empty(model: ScriptModel) -> bool:
    """Whether the file makes modules or tensors on the meta device, which takes no memory."""
    return any(is_text(node, "meta") for node in model.names.every(cst.SimpleString))


def _load(model: ScriptModel, given: cst.BaseExpression) -> cst.Call | None:
    """The `torch.load` that what is put into a model comes from: itself, under a name, or an entry of it."""
    while True:
        match given:
            case cst.Subscript():
                given = given.value
            case cst.Call(func=cst.Attribute(value=owner, attr=name)) if name.value in _ENTRY:
                given = owner
            case _:
                break
    for source in value_sources(model, given):
        node = source.node
        if source.kind == "value" and isinstance(node, cst.Call):
            return node if model.path_of(node.func) in LOADS else None
        if source.kind == "value" and isinstance(node, cst.Subscript) and node is not given:
            return _load(model, node)
    return None


def _is_quantised(model: ScriptModel, load: cst.Call) -> bool:
    return any(speaks_of(arg.value, hints.QUANTISED) for arg in load.args)


def _mapped(model: ScriptModel, load: cst.Call) -> Plan | None:
    """`mmap=True`, where what is loaded is named by its path: torch maps no open files and no buffers."""
    if not load.args or load.args[0].star:
        return None
    sources = [source.node for source in value_sources(model, load.args[0].value)]
    if any(isinstance(node, cst.Call) and last_name(node.func) in _STREAMS for node in sources):
        return None
    if any(isinstance(node, cst.With) for node in sources):
        return None
    if "mmap" in keywords(load):
        return None  # somebody has decided about it
    change = with_keyword(model, load, "mmap", "True")
    return Plan(Applicability.UNSAFE, "map the file: add `mmap=True`", (change,), _CAUTION)
