"""MEM127: what a Lightning hook keeps of every batch on `self`, epoch after epoch."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.facts import Keep
from memlint.analysis.fixes.plans import detach
from memlint.analysis.knowledge.libraries import BATCH_HOOK
from memlint.analysis.match import InsertAfter, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lightning import (
    ancestors,
    callback_classes,
    containers,
    hook_classes,
    is_emptied,
    methods,
)
from memlint.analysis.values import Kind, Tensor, Trait, Value, kind_of, options_of
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, root_name, statements, words_in

_SMALL = re.compile(r"loss|acc|err|score|metric|\.mean\(|\.sum\(|\bcount|correct", re.IGNORECASE)
_ONE_PASS = re.compile(r"^(on_)?(test|predict)_")
_NUMBERS = re.compile(r"^(float|int|len|str|bool|list|dict|repr)$|\.(item|tolist|numpy)$")
_END = re.compile(r"^on_(train|validation)_epoch_end$")
_SELF = "self."


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Additions to containers on self, made in a hook that runs for every batch."""
    owners = [*hook_classes(model), *callback_classes(model)]
    filled = {id(owner): _containers(model, owner) for owner in owners}
    seen: set[cst.CSTNode] = set()
    for keep in [*model.trace.stored.values(), *model.trace.keeps.values()]:
        hook = _hook(keep)
        if hook is None or keep.node in seen or keep.how != "store" or keep.bounded is not None:
            continue
        owner = next((o for o in owners if o is model.class_of(hook)), None)
        name = _attribute(keep.target)
        if owner is None or name not in filled[id(owner)] or _is_rare(model, keep):
            continue
        seen.add(keep.node)
        if not _is_tensor_for_sure(model, keep, hook):
            continue
        yield from _judge(model, keep, hook, owner, name)


def _hook(keep: Keep) -> cst.FunctionDef | None:
    """The hook that runs for every batch and in which something was kept, perhaps by a helper."""
    for frame in keep.frame.chain():
        node = frame.node
        if isinstance(node, cst.FunctionDef) and BATCH_HOOK.match(node.name.value):
            return node
    return None


def _attribute(target: str) -> str:
    """The `name` of `self.name`, `self.name[key]`."""
    return re.split(r"[.\[]", target.removeprefix(_SELF))[0] if target.startswith(_SELF) else ""


def _containers(model: ScriptModel, owner: cst.ClassDef) -> set[str]:
    """The names of the lists and dictionaries that a class, or one above it, starts empty."""
    return set().union(*(containers(model, cls) for cls in (owner, *ancestors(model, owner))))


def _is_rare(model: ScriptModel, keep: Keep) -> bool:
    """Whether only some batches are kept: the first ones, or as many as fit."""
    tests = (a.test for a in model.ancestors(keep.node) if isinstance(a, (cst.If, cst.IfExp)))
    return any(re.search(r"batch_idx|batch_nb|len\(|global_step|%|sanity", model.code(t)) for t in tests)


def _judge(
    model: ScriptModel, keep: Keep, hook: cst.FunctionDef, owner: cst.ClassDef, name: str
) -> Iterator[Match]:
    graph = hook.name.value == "training_step" and keep.grad == "on" and _has_graph(model, keep)
    emptied = is_emptied(model, owner, name)
    if emptied and not graph:
        return
    values = {"list": f"self.{name}", "value": model.short(keep.value_node), "hook": hook.name.value}
    if not graph:
        large = "large" if _is_large(model, keep) else "default"
        variant = "one-pass" if _ONE_PASS.match(hook.name.value) else large
        yield Match(keep.node, values, variant, plans=_clear(model, owner, name))
        return
    plans: tuple[Plan, ...] = ()
    if _is_tensor(keep.value):
        detached = detach(model, keep.value_node, safe=_is_only_read_at_the_end(model, owner, name))
        plans = (detached,) if emptied else _both(detached, _clear(model, owner, name))
    yield Match(keep.node, values, "graph-epoch" if emptied else "graph", plans=plans)


def _both(detached: Plan, cleared: tuple[Plan, ...]) -> tuple[Plan, ...]:
    title = "add `.detach()` and clear the list at the end of the epoch"
    return tuple(
        Plan(Applicability.UNSAFE, title, (*detached.changes, *plan.changes), plan.caution)
        for plan in cleared
    )


def _is_tensor_for_sure(model: ScriptModel, keep: Keep, hook: cst.FunctionDef) -> bool:
    """Whether something of what is kept is a tensor: by its kind, out of a forward pass, or of the batch."""
    if kind_of(keep.value) is not None or model.machine.ancestors(keep.ids) & model.forward_ids:
        return True
    given = {p.name.value for p in hook.params.params} - {"self", "trainer", "pl_module"}
    for node in model.walk(hook.body):
        if isinstance(node, cst.Assign) and root_name(node.value) in given:
            given |= {name for target in node.targets for name in words_in(model.code(target.target))}
    return any(_is_of(part, given) for part in _parts(keep.value_node))


def _is_of(node: cst.CSTNode, given: set[str]) -> bool:
    """Whether an expression is a part of the batch, or what a call makes of one."""
    if isinstance(node, cst.Call) and not _NUMBERS.search(dotted(node.func)):
        return any(root_name(arg.value) in given for arg in node.args)
    return root_name(node) in given


def _parts(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The members of a tuple, list or dict that is written out; the expression itself otherwise."""
    if isinstance(node, (cst.Dict, cst.Tuple, cst.List)):
        return [element.value for element in node.elements]
    return [node]


def _is_tensor(value: Value) -> bool:
    return all(isinstance(option, Tensor) and not option.opaque for option in options_of(value))


def _has_graph(model: ScriptModel, keep: Keep) -> bool:
    """Whether the value, or a member of the structure that is kept, holds a graph for sure."""
    if kind_of(keep.value) is not None:
        return kind_of(keep.value) == Kind.GRAPH
    return bool(keep.ids & model.forward_ids) or bool(
        keep.ids and model.machine.ancestors(keep.ids) & model.forward_ids
    )


def _is_large(model: ScriptModel, keep: Keep) -> bool:
    """Whether the value is a tensor for sure, and none of one element."""
    if _SMALL.search(model.code(keep.value_node)):
        return False
    options = options_of(keep.value)
    tensors = [option for option in options if isinstance(option, Tensor)]
    if any(tensor.traits & (Trait.SCALAR | Trait.FEW) for tensor in tensors):
        return False
    return len(tensors) == len(options) or bool(keep.ids & model.forward_ids)


def _is_only_read_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> bool:
    """Whether a list is only put together for the logger, at the end of an epoch."""
    inside = set(model.walk(owner))
    for node in model.walk(model.module):
        if type(node) is cst.Attribute and node.attr.value == name and node not in inside:
            return False
    read = re.compile(rf"\.{name}\b(?!(\[[^\]\n]*\])?\.(append|clear)\(|\s*(:[^=\n]*)?=[^=])")
    for method in methods(owner):
        text = model.code(method.body)
        ends = _END.match(method.name.value) and not re.search(r"backward|print\(", text)
        if read.search(text) and not ends:
            return False
    return True


def _clear(model: ScriptModel, owner: cst.ClassDef, name: str) -> tuple[Plan, ...]:
    """The plan that empties a list where the epoch ends; none where no hook of the class reads it."""
    pattern = re.compile(rf"self\.{name}\b")
    ends = [m for m in methods(owner) if _END.match(m.name.value) and pattern.search(model.code(m.body))]
    body = statements(ends[0].body) if len(ends) == 1 else ()
    last = body[-1] if body else None
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return ()
    caution = "later epochs then see only their own values"
    title = f"clear `self.{name}` at the end of the epoch"
    return (Plan(Applicability.UNSAFE, title, (InsertAfter(last, f"self.{name}.clear()"),), caution),)
