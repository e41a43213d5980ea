"""Whether a file trains, or tells what is out of view to train; and what it says of DataParallel."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.weights import is_weightless
from memlint.analysis.knowledge import device_hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Obj
from memlint.detect.distributed.wrapper_uses import goes_on_without_grad, never_called
from memlint.syntax.expressions import literal, mentions, place
from memlint.syntax.tree import comments_within


def trains(model: ScriptModel) -> bool:
    """Whether the file itself trains, or sets up what trains: a backward, an optimizer."""
    if model.trace.steps or any(not b.unseen for b in model.trace.backwards.values()):
        return True
    if any(isinstance(c.func, cst.Attribute) and c.func.attr.value == "backward" for c in model.names.calls):
        return True
    return any(o.kind == "optimizer" and not o.by_name for o in model.trace.objects.values())


def is_trained(model: ScriptModel, call: cst.Call) -> bool:
    """Whether what is wrapped, or its owner, is put into training mode or told to train."""
    line = next((a for a in model.ancestors(call) if isinstance(a, cst.Assign)), None)
    wrapped = {place(t.target) for t in line.targets} - {""} if line is not None else set()
    owners = wrapped | {name.rpartition(".")[0] for name in wrapped} - {""}
    methods = ((c, c.func) for c in model.names.calls)
    told = ((c, f.attr) for c, f in methods if isinstance(f, cst.Attribute) and place(f.value) in owners)
    return any(_tells_to_train(call, name) for call, name in told)


def _tells_to_train(call: cst.Call, method: cst.Name) -> bool:
    """Whether a call is `net.train()`, `trainer.train(epoch)`, `self.train_step(batch)` or the like."""
    if method.value == "train":
        return not (call.args and literal(call.args[0].value) is False)
    return naming.trains(method.value) and not naming.evaluates(method.value) and bool(call.args)


def only_infers(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the class or file around a wrapper puts modules into evaluation mode and trains none."""
    if trains(model) or is_trained(model, call):
        return False
    around = set(model.walk(model.class_of(call) or model.module))
    calls = [(c, c.func.attr) for c in model.names.calls if c in around and isinstance(c.func, cst.Attribute)]
    modes = [(c, name) for c, name in calls if name.value == "train" or (name.value == "eval" and not c.args)]
    return bool(modes) and not any(_tells_to_train(c, name) for c, name in modes)


def trains_nothing(model: ScriptModel, call: cst.Call) -> bool:
    """Whether what is wrapped only evaluates, or has no weights, or nothing calls it through its wrapper."""
    evaluates = _only_evaluates(model, call) or goes_on_without_grad(model, call)
    return evaluates or _has_no_weights(model, call) or never_called(model, call)


def _has_no_weights(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a module that is made to be wrapped only moves numbers about: there is nothing to train."""
    wrapped = call.args[0].value if call.args else None
    made = [o for o in model.trace.objects.values() if o.node is wrapped and o.kind in ("module", "loss")]
    return bool(made) and all(_is_plain_loss(o) or is_weightless(model.machine, o) for o in made)


def _is_plain_loss(made: Obj) -> bool:
    return made.kind == "loss" and made.path.startswith("torch.nn.")


def _only_evaluates(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a network that is wrapped beside one that trains is in evaluation mode and handed to nobody."""
    line = next((a for a in model.ancestors(call) if isinstance(a, cst.Assign)), None)
    if line is None:
        return False
    wrapped, wrapping = {place(t.target) for t in line.targets} - {""}, set(model.walk(line.value))
    reads = (*model.names.every(cst.Name), *model.names.every(cst.Attribute))
    uses = [model.parent(node) for node in reads if place(node) in wrapped and node not in wrapping]
    methods = {above.attr.value for above in uses if isinstance(above, cst.Attribute)}
    own = all(isinstance(above, (cst.AssignTarget, cst.Attribute, cst.Call)) for above in uses)
    return own and "eval" in methods and methods <= _OF_EVALUATED


_OF_EVALUATED = frozenset("eval load_state_dict cuda to half requires_grad_ forward state_dict".split())


_DISTRIBUTED = ("DDP", "DistributedDataParallel", "ApexDDP")


def speaks_of_ddp(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the branch around a call speaks of DistributedDataParallel: the author knows what is better."""
    branch = next((a for a in model.ancestors(call) if isinstance(a, (cst.If, cst.FunctionDef))), None)
    if not isinstance(branch, cst.If):
        return False
    other: cst.CSTNode | None = model.parent(branch)
    if isinstance(other, cst.If) and other.orelse is branch and mentions(other.body, *_DISTRIBUTED):
        return True
    texts = (n.value for n in model.every(cst.SimpleString, branch.body))
    return any(device_hints.DISTRIBUTED.search(t) for t in (*texts, *comments_within(branch)))
