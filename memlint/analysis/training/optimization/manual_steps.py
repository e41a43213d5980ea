"""Training steps without an optimizer, `p -= lr * p.grad`, whose gradients nothing clears."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import targets_in
from memlint.analysis.facts import Backward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import applied_by_hand
from memlint.records import dataclass
from memlint.syntax.expressions import place
from memlint.syntax.tree import methods, root_name

_READS = frozenset({"print", "len", "type", "str", "repr", "float", "abs", "isinstance"})


@dataclass(frozen=True, slots=True)
class ManualStep:
    """A backward and the read of `.grad` that applies its gradients, in a loop that begins neither again."""

    backward: Backward
    grad: cst.Attribute


def unzeroed_by_hand(model: ScriptModel) -> Iterator[ManualStep]:
    """Every such step, once for its backward, in files in which nothing clears a gradient."""
    applied = [grad for grad in applied_by_hand(model) if _changes_its_own(model, grad)]
    if not applied or not model.imports("torch") or model.trace.steps or _clears_somewhere(model):
        return
    for backward in model.trace.backwards.values():
        for grad in applied if backward.fills and not backward.unseen else ():
            if _repeats(model, backward, grad):
                yield ManualStep(backward, grad)
                break


def _changes_its_own(model: ScriptModel, grad: cst.Attribute) -> bool:
    """Whether a method that a gradient is given to changes its own parameter, and no buffer."""
    for above in model.ancestors(grad):
        match above:
            case cst.Call(func=cst.Attribute(value=changed, attr=name)) if name.value.endswith("_"):
                return root_name(changed) == root_name(grad.value)
            case cst.BaseStatement():
                break
    return True


def _clears_somewhere(model: ScriptModel) -> bool:
    """Whether anything in the file could clear gradients, by its name or by what it does to a `.grad`."""
    if model.trace.zeros or any(hints.CLEARS_GRADIENTS.search(word) for word in model.identifiers):
        return True
    if any("backward" in (m.name.value for m in methods(c)) for c in model.names.every(cst.ClassDef)):
        return True
    grads = (node for node in model.names.every(cst.Attribute) if node.attr.value in ("grad", "_grad"))
    return any(model.is_target(node) or _is_changed(model, node) for node in grads)


def _is_changed(model: ScriptModel, grad: cst.Attribute) -> bool:
    """Whether a gradient is written to, by an item, an operator or a method that ends in an underscore."""
    node: cst.CSTNode = grad
    for above in model.ancestors(grad):
        match above:
            case cst.Attribute(value=value, attr=name) if value is node:
                if name.value.endswith("_"):
                    return True
            case cst.Subscript(value=value) if value is node:
                pass
            case cst.AugAssign(target=target) if target is node:
                return True
            case cst.AssignTarget() | cst.Del():
                return True
            case cst.Arg():
                call = model.parent(above)
                taker = call.func.value if isinstance(call, cst.Call) and type(call.func) is cst.Name else ""
                return bool(taker) and taker not in _READS
            case _:
                return False
        node = above
    return False


def _repeats(model: ScriptModel, backward: Backward, grad: cst.Attribute) -> bool:
    """Whether a loop runs a backward and then applies a gradient of what it was begun with."""
    rank = model.positions
    around = [a for a in model.ancestors(grad) if isinstance(a, (cst.For, cst.While, cst.FunctionDef))]
    loops: list[cst.For | cst.While] = []
    for above in around:
        if isinstance(above, cst.FunctionDef):
            break
        loops.append(above)
    shared = [loop for loop in loops if any(entry.node is loop for entry in backward.loops)]
    if not shared or rank[grad] < rank[backward.node]:
        return False
    return {root_name(target) for target in _bound(model, shared[0])}.isdisjoint(_owners(model, grad, loops))


def _owners(model: ScriptModel, grad: cst.Attribute, loops: list[cst.For | cst.While]) -> set[str]:
    """The variable that holds the parameter, or what a loop over parameters takes it from."""
    name = root_name(grad.value)
    for loop in loops:
        if isinstance(loop, cst.For) and name in model.names_in(loop.target):
            return set(model.names_in(loop.iter))
    return {name}


def _bound(model: ScriptModel, loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a loop binds to new values; `p.data = ...` and `p -= ...` keep the tensor that p is."""
    for target in targets_in(model, loop):
        above = model.parent(target)
        kept = isinstance(above, cst.AugAssign) or place(target).endswith(".data")
        if not kept:
            yield target
