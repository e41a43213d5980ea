"""Whether a file trains, or tells what is out of view to train; and what it says of DataParallel."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import device_hints, naming
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import comments_within, last_name

_LOOKING = frozenset(
    "cuda to cpu eval half float children named_children modules named_modules state_dict "
    "load_state_dict".split()
)
"""What a network is asked for without a forward pass."""


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


def only_evaluates(model: ScriptModel, call: cst.Call) -> bool:
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


def never_called(model: ScriptModel, call: cst.Call) -> bool:
    """Whether an attribute is wrapped that nothing in the file calls, or hands to what may: its weights are
    read, or what is wrapped is taken out again for each use, `unwrap(self.old_model).encoder(x)`."""
    line = next((a for a in model.ancestors(call) if isinstance(a, cst.Assign)), None)
    wrapped = {name for t in line.targets if "." in (name := place(t.target))} if line is not None else set()
    wrapping = set(model.walk(line.value)) if line is not None else set()
    reads = [n for n in model.names.every(cst.Attribute) if place(n) in wrapped and n not in wrapping]
    used = [model.parent(n) for n in reads if not _is_bound(model, n)]
    return bool(used) and all(_takes_weights(model, above) for above in used)


def _is_bound(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a name or attribute stands on the left of an assignment, alone or among others."""
    below, above = node, model.parent(node)
    while isinstance(above, (cst.Tuple, cst.List, cst.Element)):
        below, above = above, model.parent(above)
    return isinstance(above, cst.AssignTarget) or (isinstance(above, cst.AnnAssign) and above.target is below)


def _takes_weights(model: ScriptModel, above: cst.CSTNode | None) -> bool:
    """Whether what reads a network moves it, reads its weights, or takes it out of its wrapper."""
    if isinstance(above, cst.Attribute):
        return above.attr.value in _LOOKING | _WEIGHTS
    taker = model.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(taker, cst.Call) and bool(device_hints.TAKES_OUT.search(last_name(taker.func)))


_WEIGHTS = frozenset("module parameters named_parameters buffers zero_grad requires_grad_".split())
_OF_EVALUATED = frozenset("eval load_state_dict cuda to half requires_grad_ forward state_dict".split())


def speaks_of_ddp(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the branch around a call speaks of DistributedDataParallel: the author knows what is better."""
    branch = next((a for a in model.ancestors(call) if isinstance(a, (cst.If, cst.FunctionDef))), None)
    if not isinstance(branch, cst.If):
        return False
    texts = (n.value for n in model.every(cst.SimpleString, branch.body))
    return any(device_hints.DISTRIBUTED.search(t) for t in (*texts, *comments_within(branch)))


def may_run(model: ScriptModel, node: cst.CSTNode, names: set[str], wrapped: cst.Assign) -> bool:
    """Whether a node is a use of a wrapped network other than to move it or to read its weights."""
    if type(node) not in (cst.Name, cst.Attribute) or place(node) not in names:
        return False
    above = model.parent(node)
    if isinstance(above, cst.AssignTarget):
        return model.parent(above) is not wrapped or "." in place(node)
    looks = isinstance(above, cst.Attribute) and above.attr.value in _LOOKING
    return not (looks or isinstance(above, cst.Del))
