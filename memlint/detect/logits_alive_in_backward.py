"""MEM112: the output of a forward pass stays named while the backward of its loss runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlint.analysis.liveness import delete_before, first_point
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.outputs import Alive, alive_outputs
from memlint.analysis.values import Const, Obj, Ref, options_of
from memlint.catalogue import Rule

_LANGUAGE_MODELS = re.compile(
    r"^transformers\.(\w+\.)*\w*(ForCausalLM|LMHeadModel|ForMaskedLM|ForSeq2SeqLM)\b"
)
_LARGE = 10_000


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Names of outputs that only the loss needed, or that are read once more after the backward."""
    for found in alive_outputs(model):
        size = _vocabulary(model, found)
        variant = "later" if _read_afterwards(found) else "large" if size else "default"
        values = {
            "name": "`, `".join(found.names),
            "backward": model.short(found.backward.node, 26),
            "size": size,
        }
        labels = (Label("its tensors live on through this backward", found.backward.node),)
        plan = _plan(model, found)
        yield Match(found.site, values, variant, labels, plans=(plan,) if plan is not None else ())


def _plan(model: ScriptModel, found: Alive) -> Plan | None:
    return None if found.later else delete_before(model, found.names, found.line)


def _read_afterwards(found: Alive) -> bool:
    """Whether a name is read after the statement of the backward, not only within it."""
    start = first_point(found.variables[0].flow, found.line)
    assert start is not None
    points = {id(node) for v in found.variables for node in v.reads.get(start, ())}
    return any(id(node) not in points for v in found.variables for node in v.reads_from(start))


def _vocabulary(model: ScriptModel, found: Alive) -> str:
    """What makes the output large: the class of a language model or a layer's width; else ""."""
    obj = found.forward.module.obj if isinstance(found.forward.module, Ref) else None
    if obj is None:
        return ""
    match = _LANGUAGE_MODELS.match(obj.path)
    if match is not None:
        return match[0].rpartition(".")[2]
    parts = _parts(model, obj)
    layers = (o for o in model.trace.objects.values() if o in parts or _is_made_inside(model, o, obj))
    width = max((_width(o) for o in layers), default=0)
    return f"{width} classes" if width >= _LARGE else ""


def _parts(model: ScriptModel, whole: Obj) -> set[Obj]:
    """A module and everything that it was given or keeps: layers in attributes, lists and dictionaries."""
    found: set[Obj] = set()
    pending = [whole]
    while pending:
        obj = pending.pop()
        if obj not in found:
            found.add(obj)
            kept = [value for _, value in model.machine.entries(obj)] if model.machine.state else []
            pending += [
                o.obj for v in (*obj.args.values(), *kept) for o in options_of(v) if isinstance(o, Ref)
            ]
    return found


def _is_made_inside(model: ScriptModel, layer: Obj, whole: Obj) -> bool:
    """Whether a layer is made in the class of a module, whose constructor may not have been run."""
    return whole.cls is not None and layer.node is not None and whole.cls.node in model.ancestors(layer.node)


def _width(layer: Obj) -> int:
    if not layer.path.endswith("nn.Linear"):
        return 0
    out = layer.args.get("1", layer.args.get("out_features"))
    return out.value if isinstance(out, Const) and isinstance(out.value, int) else 0
