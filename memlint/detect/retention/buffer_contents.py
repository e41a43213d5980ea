"""What a buffer of transitions takes in: graphs that nobody uses, or copies on the GPU."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_anywhere
from memlint.analysis.training.graphs import Why, is_differentiated, is_handed_out, why_graph
from memlint.analysis.training.retained_values import on_gpu
from memlint.analysis.training.retention import consumed
from memlint.analysis.traits import Trait
from memlint.analysis.values import Kind, Tensor
from memlint.detect.retention.env_loops import all_calls
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import last_name


def what_is_wrong(model: ScriptModel, store: Store) -> str:
    """What is wrong with what a buffer takes in; "" for nothing."""
    tensors = [t for t in tensors_in(model.machine, store.value) if isinstance(t, Tensor)]
    graphs = [t for t in tensors if t.kind is Kind.GRAPH]
    if graphs:
        if consumed(model, store) or _is_handed_on(model, store):
            return ""
        ids = frozenset().union(*(t.ids for t in graphs))
        if is_differentiated(model, ids) or why_graph(model, ids) is Why.READ_AS_NUMBERS:
            return ""
        if store.bounded is not None or not emptied_anywhere(model, store.target, taking=False):
            return "default"
        return "rollout" if _is_cut_later(model, store) else ""
    held = [t for t in tensors if on_gpu(t) and Trait.SCALAR not in t.traits]
    if not held or _may_be_short(model, store):
        return ""
    if store.bounded is None and emptied_anywhere(model, store.target, taking=False):
        return ""
    return "device" if hints.PICTURES.search(" ".join(model.identifiers)) else "small"


def _may_be_short(model: ScriptModel, store: Store) -> bool:
    """Whether a deque has a limit that nothing shows to be a capacity: a stack of frames, a window."""
    made = model.trace.objects.get(store.key[0])
    call = made.node if made is not None else None
    limit = argument(call, 1, "maxlen") if isinstance(call, cst.Call) else None
    return store.bounded == -1 and limit is not None and not speaks_of(limit, hints.CAPACITY)


def _is_cut_later(model: ScriptModel, store: Store) -> bool:
    """Whether whatever reads the buffer detaches it at once: then nobody wants the graph."""
    last = store.target.rpartition(".")[2]
    read = False
    for call in all_calls(model):
        name = last_name(call.func)
        if name not in ("stack", "cat", "tensor") or not call.args:
            continue
        if last_name(call.args[0].value) != last:
            continue
        if not _is_cut(model, call):
            return False
        read = True
    return read


def _is_cut(model: ScriptModel, joined: cst.Call) -> bool:
    """Whether the chain of methods on a value detaches it: `torch.cat(values).squeeze(-1).detach()`."""
    node: cst.CSTNode | None = joined
    while node is not None and isinstance(method := model.parent(node), cst.Attribute):
        if method.attr.value in ("detach", "data"):
            return True
        node = model.parent(method) if method.attr.value in libraries.SHAPING_METHODS else None
    return False


def _is_handed_on(model: ScriptModel, store: Store) -> bool:
    """Whether code that cannot be seen gets the buffer, and may back-propagate through it."""
    if is_handed_out(model, [model.machine.number("content", store.key[0])]):
        return True
    events = model.trace.opaque_calls.values()
    return any(store.key[0] in e.objects and not e.name.startswith(("random.", "numpy.")) for e in events)
