"""MEM116: a buffer of transitions keeps the graph, or the GPU copy, of what the policy computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Keep, Loop
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import drained_anywhere, on_gpu
from memlint.analysis.training.retention import SHORT_DEQUE, consumed
from memlint.analysis.values import Items, Kind, Ref, Tensor, Trait
from memlint.catalogue import Rule
from memlint.finding import Applicability

_VERBS = re.compile(
    r"^_*(push|add|store|append|remember|save|insert|put|record|cache|memori[sz]e|observe|extend)",
    re.IGNORECASE,
)
_BUFFER = re.compile(
    r"buf|memory|replay|rollout|storage|trajector|transition|experience|episode|log_?prob|logp|action|value|hidden",
    re.IGNORECASE,
)
_PICTURES = re.compile(r"conv2d|cnn|pixel|frame|image|atari|screen|camera", re.IGNORECASE)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops that step an environment whose value has a graph that no backward uses."""
    loops = _env_loops(model)
    seen: set[cst.CSTNode] = set()
    for keep in model.trace.keeps.values():
        inside = [x for x in keep.loops if x in loops]
        if keep.how != "store" or not inside or not keep.grows or isinstance(keep.node, cst.Yield):
            continue
        if keep.bounded is not None and 0 <= keep.bounded <= SHORT_DEQUE:
            continue
        site = _site(keep, inside[-1])
        variant = _variant(model, keep) if _is_buffer(model, keep, site) else ""
        if variant and site not in seen:
            seen.add(site)
            yield _match(model, keep, site, variant)


def _calls(model: ScriptModel) -> Iterator[cst.Call]:
    """All calls, those of other files that the run was led into as well."""
    return (call for names in model.all_names() for call in names.calls)


def _env_loops(model: ScriptModel) -> set[Loop]:
    """The loops in whose iterations an environment makes a step, or actions are drawn and nothing trains."""
    steps, draws = set(), set()
    for call in _calls(model):
        if not isinstance(call.func, cst.Attribute):
            continue
        if call.func.attr.value == "step" and naming.environment(model.code(call.func.value)):
            steps.add(call)
        elif call.func.attr.value == "log_prob":
            draws.add(call)
    training = {loop for event in model.trace.backwards.values() for loop in event.loops}
    return _loops_around(model, steps) | (_loops_around(model, draws) - training)


def _loops_around(model: ScriptModel, calls: set[cst.Call]) -> set[Loop]:
    """The innermost loops around these calls, in the code and in the run."""
    kinds = (cst.For, cst.While)
    around = {next((a for a in model.ancestors(call) if isinstance(a, kinds)), None) for call in calls}
    found = {loop for loop in model.trace.loops.values() if loop.node in around}
    for event in model.trace.called.values():
        if event.node in calls:
            found |= set(event.loops[-1:])
    return found


def _is_buffer(model: ScriptModel, keep: Keep, site: cst.CSTNode) -> bool:
    """Whether a container takes in transitions: several fields at once, or its name says so."""
    if isinstance(keep.value, Items) or (isinstance(keep.value, Ref) and keep.value.obj.kind != "module"):
        return True
    func = site.func if isinstance(site, cst.Call) else None
    names = f"{keep.target} {model.code(func) if func is not None else ''}"
    return bool(_BUFFER.search(names))


def _variant(model: ScriptModel, keep: Keep) -> str:
    """What is wrong with what a buffer takes in; "" for nothing."""
    tensors = [t for t in tensors_in(model.machine, keep.value) if isinstance(t, Tensor)]
    graphs = [t for t in tensors if t.kind is Kind.GRAPH]
    if graphs:
        if consumed(model, keep) or _is_handed_on(model, keep):
            return ""
        ids = frozenset().union(*(t.ids for t in graphs))
        if ids & model.trace.backed or ids & model.trace.graphless:
            return ""
        if keep.bounded is not None or not drained_anywhere(model, keep):
            return "default"
        return "rollout" if _is_cut_later(model, keep) else ""
    held = [t for t in tensors if on_gpu(t) and Trait.SCALAR not in t.traits]
    if not held or (keep.bounded is None and drained_anywhere(model, keep)):
        return ""
    return "device" if _PICTURES.search(" ".join(model.identifiers)) else "small"


def _is_cut_later(model: ScriptModel, keep: Keep) -> bool:
    """Whether whatever reads the buffer detaches it at once: then nobody wants the graph."""
    last = keep.target.rpartition(".")[2]
    read = False
    for call in _calls(model):
        name = model.code(call.func).rpartition(".")[2]
        if name not in ("stack", "cat", "tensor") or not call.args:
            continue
        if model.code(call.args[0].value).rpartition(".")[2] != last:
            continue
        method = model.parent(call)
        if not isinstance(method, cst.Attribute) or method.attr.value not in ("detach", "data"):
            return False
        read = True
    return read


def _is_handed_on(model: ScriptModel, keep: Keep) -> bool:
    """Whether code that cannot be seen gets the buffer, and may back-propagate through it."""
    if model.machine.number("content", keep.key[0]) in model.trace.escaped:
        return True
    events = model.trace.opaque.values()
    return any(keep.key[0] in e.objects and not e.name.startswith(("random.", "numpy.")) for e in events)


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
