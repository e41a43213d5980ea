"""MEM116: a buffer of transitions keeps the graph, or the GPU copy, of what the policy computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Keep, Loop
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import SHORT_DEQUE
from memlint.analysis.values import Items, Ref, Tensor
from memlint.catalogue import Rule
from memlint.detect.retention.buffer_contents import what_is_wrong
from memlint.detect.retention.env_loops import env_loops
from memlint.finding import Applicability

_VERBS = re.compile(
    r"^_*(push|add|store|append|remember|save|insert|put|record|cache|memori[sz]e|observe|extend)",
    re.IGNORECASE,
)
_BUFFER = re.compile(
    r"buf|memory|replay|rollout|storage|trajector|transition|experience|episode|log_?prob|logp|action|value|hidden",
    re.IGNORECASE,
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops that step an environment whose value has a graph that no backward uses."""
    loops = env_loops(model)
    seen: set[cst.CSTNode] = set()
    for keep in model.trace.keeps.values():
        inside = [x for x in keep.loops if x in loops]
        if keep.how != "store" or not inside or not keep.grows or isinstance(keep.node, cst.Yield):
            continue
        if keep.bounded is not None and 0 <= keep.bounded <= SHORT_DEQUE:
            continue
        site = _site(keep, inside[-1])
        variant = what_is_wrong(model, keep) if _is_buffer(model, keep, site) else ""
        if variant and site not in seen:
            seen.add(site)
            yield _match(model, keep, site, variant)


def _is_buffer(model: ScriptModel, keep: Keep, site: cst.CSTNode) -> bool:
    """Whether a container takes in transitions: several fields at once, or its name says so."""
    if isinstance(keep.value, Items) or (isinstance(keep.value, Ref) and keep.value.obj.kind != "module"):
        return True
    func = site.func if isinstance(site, cst.Call) else None
    names = f"{keep.target} {model.code(func) if func is not None else ''}"
    return bool(_BUFFER.search(names))


def _site(keep: Keep, loop: Loop) -> cst.CSTNode:
    """The call that fills the buffer, seen from the loop: climbs out of `push` and the like."""
    frame, node = keep.frame, keep.node
    while frame.caller is not None and frame is not loop.frame and _VERBS.match(frame.name):
        call = frame.call
        if call is None:
            break
        frame, node = frame.caller, call
    return node


def _match(model: ScriptModel, keep: Keep, site: cst.CSTNode, variant: str) -> Match:
    labels = () if site is keep.node else (Label(f"`{keep.target}` stores it here", keep.node),)
    func = site.func if isinstance(site, cst.Call) else None
    buffer = model.short(func.value) if isinstance(func, cst.Attribute) else keep.target
    return Match(
        site,
        {"buffer": buffer, "value": model.short(keep.value_node)},
        variant,
        labels=labels,
        plans=_plans(model, keep, site, variant),
    )


def _plans(model: ScriptModel, keep: Keep, site: cst.CSTNode, variant: str) -> tuple[Plan, ...]:
    """`.detach()` on the only field that carries a graph; none where several may."""
    value = keep.value_node
    if site is not keep.node or variant not in ("default", "rollout") or not isinstance(keep.value, Tensor):
        return ()
    return (
        Plan(
            Applicability.UNSAFE,
            "add `.detach()`",
            (Replace(value, with_method(model, value, "detach()")),),
            "right only if nothing that reads the buffer differentiates through it",
        ),
    )
