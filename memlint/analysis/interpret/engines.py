"""Loops that a framework runs over code of the file: ignite's engines, trainers with hooks for each batch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from memlint.analysis.interpret.backwards import backward, settle
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.state import merge
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.traits import Trait
from memlint.analysis.values import (
    NO_IDS,
    Class,
    ClassInfo,
    Function,
    Items,
    Kind,
    Obj,
    Ref,
    Tensor,
    Value,
    choice,
    options_of,
)
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import dotted

_PASSES = 2
_HF_TRAINER = pattern(r"^(transformers|trl)\.(\w+\.)*\w*Trainer$")
_HF_HOOK = "compute_loss"
_LIGHTNING = pattern(r"^(lightning|pytorch_lightning)\.(\w+\.)*LightningModule$")
_LIGHTNING_HOOK = "training_step"
_FASTAI = pattern(r"^fastai2?\.(\w+\.)*\w*Callback$")
# What fastai calls while the loss of a batch has its graph.
_FASTAI_HOOK = pattern(r"^(after_(loss|backward|step|batch)|before_(backward|step))$")
_FASTAI_SETUP = ("before_fit", "begin_fit", "before_epoch", "before_train")
_FASTAI_STATE = ("loss", "loss_grad", "pred", "preds")


def ignite_engine(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`Engine(update)`: the function runs for every batch of what `run` will get."""
    given = args[0] if args else keywords.get("process_function")
    batch = Tensor(Kind.DETACHED, NO_IDS, True, Trait.BATCH)
    for option in options_of(given) if given is not None else ():
        if isinstance(option, Function) and isinstance(option.node, cst.FunctionDef):
            given_both: Args = [machine.unknown(node), batch]
            run_batches(machine, option.node, partial(machine.invoke, option, given_both, {}, node))
    return machine.unknown(node)


def run_hook(machine: Machine, definition: cst.FunctionDef, me: Value, call: Callable[[], Value]) -> bool:
    """Run a method that a trainer calls for every batch, as in a loop; False where it is none."""
    if not isinstance(me, Ref) or me.obj.cls is None:
        return False
    name, bases = definition.name.value, me.obj.cls.ancestry()
    if (name == _HF_HOOK and any(map(_HF_TRAINER.match, bases))) or (
        name == _LIGHTNING_HOOK and any(map(_LIGHTNING.match, bases))
    ):
        run_batches(
            machine,
            definition,
            call,
            lambda result: _differentiate(machine, _loss_of(machine, result), definition),
        )
        return True
    if _FASTAI_HOOK.match(name) and (any(map(_FASTAI.match, bases)) or _is_starred(machine, me.obj.cls)):
        obj = me.obj
        for begin in _FASTAI_SETUP:
            found = me.obj.cls.find(begin)
            if found is not None:
                machine.invoke(Function(found[0], found[1], me), [], {}, definition)
        run_batches(
            machine, definition, lambda: _with_loss(machine, obj, definition, call),
            lambda _: _differentiate(machine, machine.attribute(obj, "loss"), definition),
        )  # fmt: skip
        return True
    if _is_whole_step(machine, definition):
        run_batches(machine, definition, call)
        return True
    return False


def _is_whole_step(machine: Machine, definition: cst.FunctionDef) -> bool:
    """Whether a method is one step of training, without a loop but those over weights, as where another net
    follows: whoever calls it does so for every batch."""
    if not machine.home.holds(definition):
        return False
    nodes = machine.home.walk(definition)
    called = {n.func.attr.value for n in nodes if type(n) is cst.Call and type(n.func) is cst.Attribute}
    loops = any(
        type(n) is cst.While or (type(n) is cst.For and not _is_over_weights(machine, n)) for n in nodes
    )
    return not loops and called.issuperset(_STEP) and not definition.name.value.startswith("test")


def _is_over_weights(machine: Machine, loop: cst.For) -> bool:
    """Whether a loop goes through parameters, and takes no step of its own."""
    called = {
        n.func.attr.value
        for n in machine.home.walk(loop)
        if type(n) is cst.Call and type(n.func) is cst.Attribute
    }
    return mentions(loop.iter, *_WEIGHTS) and called.isdisjoint(_STEP)


_STEP = frozenset({"zero_grad", "backward", "step"})
_WEIGHTS = ("parameters", "named_parameters", "param_groups", "state_dict")


def _is_starred(machine: Machine, info: ClassInfo) -> bool:
    """Whether a class inherits from a `Callback` that a star import of fastai brings in."""
    named = any(dotted(base.value) == "Callback" for base in info.node.bases)
    known = any(isinstance(base, Class) for base in info.bases)
    return named and not known and "fastai" in machine.home.imported_roots()


def _loss_of(machine: Machine, result: Value) -> Value:
    """The loss in what a hook returns: itself, the first of it and the outputs, or the entry "loss"."""
    found = []
    for option in options_of(result):
        if isinstance(option, Items) and option.items:
            option = option.items[0]
        elif isinstance(option, Ref) and option.obj.kind == "dict":
            option = machine.read((option.obj.id, "['loss']")) or option
        found.append(option)
    return choice(found)


def _differentiate(machine: Machine, loss: Value | None, node: cst.CSTNode) -> None:
    if loss is not None:
        backward(machine, node, loss, retains=False, fills=False, unseen=True)


def _with_loss(machine: Machine, obj: Obj, definition: cst.FunctionDef, call: Callable[[], Value]) -> Value:
    """Run a hook of fastai with the tensors of the batch where the learner keeps them."""
    learner = machine.obj("instance", definition, "learner")
    for name in _FASTAI_STATE:
        made = machine.tensor(Kind.GRAPH, definition, NO_IDS, name)
        if name.startswith("loss"):
            made = Tensor(made.kind, made.ids, traits=Trait.SCALAR)
        machine.write((learner.id, "." + name), made)
        machine.write((obj.id, "." + name), made)
    machine.write((obj.id, ".learn"), Ref(learner))
    return call()


def run_batches(
    machine: Machine,
    definition: cst.FunctionDef | cst.Lambda,
    call: Callable[[], Value],
    end: Callable[[Value], None] | None = None,
    source: str = "loader",
) -> None:
    """Run a function as the body of a loop over a loader, or what `source` says; `end` is what the framework
    does then."""
    outer, head = machine.loops, machine.state
    grad = head.grad if head is not None else "on"
    loop, first = machine.loop(definition, 0, source, None), machine.clock + 1
    for number in range(_PASSES):
        if head is None:
            break
        machine.loops = (*outer, loop)
        if number:
            machine.heads.append((loop, machine.clock + 1, first))
        machine.state = head.copy()
        machine.state.grad = "on"
        result = call()
        if end is not None and machine.state is not None:
            end(result)
        if number:
            machine.heads.pop()
        edge = machine.state
        if edge is not None:
            settle(machine, loop, edge)
        machine.loops = outer
        head = merge([head, edge])
    machine.state = head
    if machine.state is not None:
        machine.state.grad = grad
        if not outer:
            machine.state.pending = frozenset()
