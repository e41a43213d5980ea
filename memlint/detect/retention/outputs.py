"""Which local names still hold the output of a forward pass while the backward of its loss runs.

A backward needs what the operations saved, not the output that the loss was computed from, unless the last
operation of the module, or the loss itself, saved just that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.liveness import Variable, first_node, variable
from memlint.analysis.facts import Backward, Criterion, Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import in_training
from memlint.analysis.values import Frame, Items, Obj, Ref, Tensor, Unknown, Value, options_of
from memlint.syntax.expressions import item_key, mentions
from memlint.syntax.tree import dotted, root_name

_LOG_SOFTMAX = frozenset({"log_softmax", "LogSoftmax", "logsoftmax"})
_SIGMOID = frozenset({"sigmoid", "Sigmoid"})
_SAME_STORAGE = frozenset(
    "detach data view reshape flatten squeeze unsqueeze transpose permute contiguous view_as narrow select "
    "chunk split unbind t T movedim swapaxes logits clone_".split()
)
_STORING = frozenset(
    "append extend insert add put push update store appendleft setdefault save_for_backward register_buffer "
    "register_hook put_nowait".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Alive:
    """Names that hold a forward's output while `backward` runs in the statement `line`.

    `site` is where the loss took what it needed of them, `later` whether they are read after the backward
    began.
    """

    names: tuple[str, ...]
    variables: tuple[Variable, ...]
    backward: Backward
    line: cst.BaseStatement
    site: cst.CSTNode
    forward: Forward
    later: bool


def alive_outputs(model: ScriptModel) -> Iterator[Alive]:
    """Every such output, once for each place where its loss is taken."""
    seen: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if not backward.fills or backward.unseen or not in_training(model.trace, backward):
            continue
        for found in (*_through_criteria(model, backward), *_through_results(model, backward)):
            if found.site not in seen:
                seen.add(found.site)
                yield found


# --- losses that the script computes ------------------------------------------------------------------


def _through_criteria(model: ScriptModel, backward: Backward) -> Iterator[Alive]:
    machine = model.machine
    reached = machine.trace.ancestors(backward.ids)
    criteria = [c for c in model.trace.criteria.values() if c.ids & reached]
    saved = {n for c in criteria if not _unsaved_inputs(model, c) for n in c.given}
    for criterion in criteria:
        inputs = _unsaved_inputs(model, criterion) - saved
        sources = machine.trace.ancestors(inputs, lightweight_only=True)
        forward = _made_by(model, sources)
        if forward is None or _saves_output(model, forward) or not _may_be_unsaved(model, criterion, forward):
            continue
        found = _retained_value(model, backward, sources, forward, criterion.node)
        if found is not None and not _is_needed_again(model, backward, sources):
            yield found


def _unsaved_inputs(model: ScriptModel, criterion: Criterion) -> frozenset[int]:
    """The identities of what a loss was computed from and does not save; none for losses that save it."""
    name = criterion.path.rpartition(".")[2]
    if name in ("cross_entropy", "CrossEntropyLoss", "l1_loss", "L1Loss"):
        return criterion.inputs
    wrapped = {
        "nll_loss": _LOG_SOFTMAX,
        "NLLLoss": _LOG_SOFTMAX,
        "binary_cross_entropy": _SIGMOID,
        "BCELoss": _SIGMOID,
    }
    if name not in wrapped or not isinstance(criterion.node, cst.Call) or not criterion.node.args:
        return frozenset()
    call = _bound_call(model, criterion.node.args[0].value)
    if call is None or _called(model, call) not in wrapped[name]:
        return frozenset()
    parents = model.trace.parents
    return frozenset().union(*(parents.get(n, frozenset()) for n in criterion.inputs))


def _bound_call(model: ScriptModel, node: cst.BaseExpression) -> cst.Call | None:
    """The call that an expression is, or that the name it is was bound to."""
    if isinstance(node, cst.Call):
        return node
    if not isinstance(node, cst.Name):
        return None
    found = variable(model, node, node.value)
    binds = [n for nodes in found.binds.values() for n in nodes] if found is not None else []
    target = model.parent(binds[0]) if len(binds) == 1 else None
    assign = model.parent(target) if isinstance(target, cst.AssignTarget) else None
    return assign.value if isinstance(assign, cst.Assign) and isinstance(assign.value, cst.Call) else None


def _called(model: ScriptModel, call: cst.Call) -> str:
    """The last part of what is called, through an import alias or a module kept in a variable."""
    func = call.func.func if isinstance(call.func, cst.Call) else call.func
    path = model.path_of(func)
    return (path or model.code(func)).rpartition(".")[2]


def _may_be_unsaved(model: ScriptModel, criterion: Criterion, forward: Forward) -> bool:
    """Logits rarely leave through an operation that saves them; images and regressions often do."""
    if not criterion.path.endswith(("l1_loss", "L1Loss")):
        return True
    obj = forward.module.obj if isinstance(forward.module, Ref) else None
    return obj is not None and _last_layer(model, obj).startswith(("torch.nn.Linear", "torch.nn.Conv"))


def _made_by(model: ScriptModel, sources: set[int]) -> Forward | None:
    """The forward pass that made one of these values."""
    for forward in model.trace.forwards.values():
        if forward.recorded and forward.grad != "off" and forward.ids & sources:
            return forward
    return None


def _saves_output(model: ScriptModel, forward: Forward) -> bool:
    """Whether the last operation of a module is seen to save its own result for backward."""
    obj = forward.module.obj if isinstance(forward.module, Ref) else None
    return obj is not None and bool(hints.SAVES_OUTPUT.search(_last_layer(model, obj)))


def _last_layer(model: ScriptModel, obj: Obj, depth: int = 0) -> str:
    """The path or name of the last operation of a module, "" where it cannot be seen."""
    if depth > 4:
        return ""
    if obj.path.endswith(".Sequential") and obj.args:
        last = [v for k, v in obj.args.items() if k.isdecimal()][-1:]
        inner = next((o.obj for v in last for o in options_of(v) if isinstance(o, Ref)), None)
        return _last_layer(model, inner, depth + 1) if inner is not None else ""
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return obj.path
    returns = [n for n in model.walk(found[0]) if type(n) is cst.Return and n.value is not None]
    value = returns[-1].value if returns else None
    call = _bound_call(model, value) if value is not None else None
    if call is None:
        return ""
    held = (
        model.machine.attribute(obj, dotted(call.func).removeprefix("self.")) if model.machine.state else None
    )
    inner = next((o.obj for o in options_of(held) if isinstance(o, Ref)), None) if held is not None else None
    return _last_layer(model, inner, depth + 1) if inner is not None else _called(model, call)


def _is_needed_again(model: ScriptModel, backward: Backward, sources: set[int]) -> bool:
    """Whether a later backward runs through the same output."""
    machine = model.machine
    for other in model.trace.backwards.values():
        if model.positions[other.node] <= model.positions[backward.node]:
            continue
        if machine.trace.ancestors(other.ids) & sources:
            return True
    return False


# --- losses that the module computes ------------------------------------------------------------------


def _through_results(model: ScriptModel, backward: Backward) -> Iterator[Alive]:
    """`out = model(**batch); loss = out.loss` and `logits, loss = model(x, y)`."""
    sources = model.trace.ancestors(backward.ids, lightweight_only=True)
    for forward in model.trace.forwards.values():
        if (
            not forward.recorded
            or not isinstance(forward.node, cst.Call)
            or not isinstance(forward.module, Ref)
        ):
            continue
        assign = model.parent(forward.node)
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not forward.ids & sources:
            continue
        target = assign.targets[0].target
        if isinstance(target, cst.Name) and _gives_loss_beside_logits(forward):
            site = _loss_read(model, target)
            if site is not None:
                found = _retained_value(model, backward, set(forward.ids), forward, site)
                if found is not None and target.value in found.names:
                    yield found
        elif isinstance(target, cst.Tuple):
            yield from _unpacked(model, backward, forward, target)


def _gives_loss_beside_logits(forward: Forward) -> bool:
    """Whether a call is that of a Hugging Face model that was given labels."""
    assert isinstance(forward.module, Ref)
    assert isinstance(forward.node, cst.Call)
    obj = forward.module.obj
    if obj.cls is not None:
        return False
    return obj.path.startswith("transformers.") or any(
        a.star == "**" or (a.keyword is not None and a.keyword.value == "labels") for a in forward.node.args
    )


def _loss_read(model: ScriptModel, target: cst.Name) -> cst.CSTNode | None:
    """Where `.loss`, `["loss"]` or `[0]` of a result is read."""
    found = variable(model, target, target.value)
    for node in (n for nodes in found.reads.values() for n in nodes) if found is not None else ():
        parent = model.parent(node)
        if isinstance(parent, cst.Attribute) and parent.attr.value == "loss":
            return parent
        if isinstance(parent, cst.Subscript) and item_key(parent) in ("loss", 0):
            return parent
    return None


def _unpacked(model: ScriptModel, backward: Backward, forward: Forward, target: cst.Tuple) -> Iterator[Alive]:
    assert isinstance(forward.module, Ref)
    names = [e.value.value if isinstance(e.value, cst.Name) else "" for e in target.elements]
    shown = _returned_logits(model, forward.module.obj)
    extra = [
        n for i, n in enumerate(names) if n and (i in shown if shown is not None else "logits" in n.lower())
    ]
    losses = [n for n in names if n not in extra and "loss" in n.lower()]
    keys = [(backward.frame.id, name) for name in losses]
    reached = model.trace.ancestors(backward.ids, lightweight_only=True)
    if extra and any(key in backward.held and backward.held[key].ids & reached for key in keys):
        ids = set().union(
            *(
                backward.held[(backward.frame.id, n)].ids
                for n in extra
                if (backward.frame.id, n) in backward.held
            )
        )
        found = _retained_value(
            model, backward, ids - (reached & _loss_ids(backward, losses)), forward, forward.node
        )
        if found is not None and set(found.names) <= set(extra):
            yield found


def _loss_ids(backward: Backward, losses: list[str]) -> set[int]:
    held = (backward.held.get((backward.frame.id, name)) for name in losses)
    return set().union(*(h.ids for h in held if h is not None))


def _returned_logits(model: ScriptModel, obj: Obj) -> set[int] | None:
    """The positions at which a module of the file returns what its cross-entropy was computed from."""
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return None
    calls = [
        n
        for n in model.walk(found[0])
        if type(n) is cst.Call and _called(model, n) in ("cross_entropy", "CrossEntropyLoss")
    ]
    roots = {_input_root(call) for call in calls if call.args} - {""}
    positions: set[int] = set()
    for node in model.walk(found[0]):
        if type(node) is cst.Return and isinstance(node.value, cst.Tuple):
            positions |= {i for i, e in enumerate(node.value.elements) if root_name(e.value) in roots}
    return positions


def _input_root(call: cst.Call) -> str:
    node: cst.BaseExpression = call.args[0].value
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""


# --- who holds it -------------------------------------------------------------------------------------


def _retained_value(
    model: ScriptModel, backward: Backward, sources: set[int], forward: Forward, site: cst.CSTNode
) -> Alive | None:
    """The names of one running function that hold these values, where nothing else does."""
    holders = [(held.frame, key[1]) for key, held in backward.held.items() if _holds(held.value, sources)]
    frames = {frame for frame, _ in holders}
    if len(frames) != 1 or any(h.ids & sources and isinstance(h.value, Ref) for h in backward.held.values()):
        return None
    frame = frames.pop()
    line = _statement_in(model, backward, frame)
    names = tuple(dict.fromkeys(name for _, name in holders))
    variables = [variable(model, line, name) for name in names] if line is not None else []
    if line is None or any(v is None or _escapes(model, v) for v in variables):
        return None
    known = tuple(v for v in variables if v is not None)
    if any(v.parameter for v in known):
        return None
    start = first_node(known[0].flow, line)
    if start is None:
        return None
    later = any(any(v.reads_from(start)) for v in known)
    return Alive(names, known, backward, line, site, forward, later)


def _holds(value: Value, sources: set[int]) -> bool:
    for option in options_of(value):
        if isinstance(option, (Tensor, Unknown)) and option.ids & sources:
            return True
        if isinstance(option, Items) and any(_holds(v, sources) for v in option.items):
            return True
    return False


def _statement_in(model: ScriptModel, backward: Backward, frame: Frame) -> cst.BaseStatement | None:
    """The statement of a running function during which the backward runs."""
    node = active_nodes(backward).get(frame)
    if node is None:
        return None
    line = model.statement_of(node)
    return line if isinstance(line, cst.SimpleStatementLine) and len(line.body) >= 1 else None


def _escapes(model: ScriptModel, name: Variable) -> bool:
    """Whether something other than names of the function gets hold of the tensor, or a view of it."""
    return any(_is_stored(model, node) for nodes in name.reads.values() for node in nodes)


def _is_stored(model: ScriptModel, node: cst.CSTNode) -> bool:
    below, above = node, model.parent(node)
    while above is not None:
        if isinstance(above, cst.Attribute) and above.value is below and above.attr.value in _SAME_STORAGE:
            below, above = above, model.parent(above)
            if isinstance(above, cst.Call):
                below, above = above, model.parent(above)
        elif isinstance(above, cst.Subscript) and above.value is below:
            below, above = above, model.parent(above)
        else:
            break
    if isinstance(above, cst.Assign):
        stores = any(not isinstance(t.target, (cst.Name, cst.Tuple)) for t in above.targets)
        # A detached view under a name of its own carries no identity by which it would be found.
        return stores or mentions(above.value, "detach", "data")
    if isinstance(above, (cst.Return, cst.Yield, cst.Element, cst.DictElement)):
        return not isinstance(above, cst.Return)
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        return isinstance(call, cst.Call) and dotted(call.func).rpartition(".")[2] in _STORING
    return False
