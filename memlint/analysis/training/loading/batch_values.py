"""Which values are batches that a training loop takes from its loader."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import over_loader
from memlint.syntax.tree import dotted, root_name

_SAME = frozenset(
    "to cuda cpu float double half clone detach contiguous view reshape long unsqueeze squeeze".split()
)
_KNOWN_CALLS = frozenset("print len range isinstance type zip enumerate".split())
_MAKERS = frozenset({"torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.FloatTensor"})
VARIABLES = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"})


def made_from_batch(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> bool:
    """Whether a call asks for the gradient of a batch, or of a slice of the data made one in each step."""
    if is_batch(model, owner):
        return True
    while isinstance(owner, (cst.Call, cst.Attribute)) and _keeps_value(model, owner):
        owner = _inner(owner)
    cut = isinstance(owner, cst.Subscript) and root_name(owner) not in ("self", "")
    made = isinstance(owner, cst.Call) and model.names.one(owner.func) in _MAKERS
    above = model.parent(call)
    if not (cut or made) or not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return False
    target = above.targets[0].target
    if not isinstance(target, cst.Name) or not serves_training_only(model, target):
        return False
    around = {a for a in model.ancestors(call) if isinstance(a, (cst.For, cst.While))}
    return any(x.node in around for s in model.trace.steps.values() for x in s.loops[-1:])


def numbers_rows(model: ScriptModel, loop: cst.CSTNode | None, batch: cst.CSTNode) -> bool:
    """Whether a batch holds the numbers of rows, by which its loop takes these elsewhere: `table[batch]`."""
    if not isinstance(batch, cst.Name) or not isinstance(loop, cst.For):
        return False
    places = (part.slice[0].slice for part in model.every(cst.Subscript, loop.body))
    indices = (place.value for place in places if isinstance(place, cst.Index))
    return any(isinstance(index, cst.Name) and index.value == batch.value for index in indices)


def is_batch(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether an expression is a batch that a training loop over a loader yields, used only for training."""
    while isinstance(owner, (cst.Call, cst.Attribute)) and _keeps_value(model, owner):
        owner = _inner(owner)
    if not isinstance(owner, cst.Name) or not serves_training_only(model, owner):
        return False
    return _from_loader(model, owner, 0)


def _keeps_value(model: ScriptModel, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        func = node.func
        wraps = model.names.one(func) in VARIABLES and bool(node.args)
        return wraps or (isinstance(func, cst.Attribute) and func.attr.value in _SAME)
    return isinstance(node, cst.Attribute) and node.attr.value == "data"


def _inner(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.Call):
        return (
            node.func.value
            if isinstance(node.func, cst.Attribute) and node.func.attr.value in _SAME
            else node.args[0].value
        )
    assert isinstance(node, cst.Attribute)
    return node.value


def _from_loader(model: ScriptModel, name: cst.Name, depth: int) -> bool:
    """Whether every binding of a name comes from a loop over a loader, perhaps moved to a device."""
    found = variable(model, name, name.value)
    if found is None or found.parameter or depth > 3:
        return False
    binds = [n for nodes in found.binds.values() for n in nodes]
    return bool(binds) and any(_is_batch(model, n, name.value, depth) for n in binds)


def _is_batch(model: ScriptModel, bind: cst.Name, name: str, depth: int) -> bool:
    for above in model.ancestors(bind):
        if isinstance(above, cst.For):
            loops = [x for x in model.trace.loops.values() if x.node is above]
            trained = (x for x in loops if any(x in s.loops for s in model.trace.steps.values()))
            return any(over_loader(x) for x in trained)
        if isinstance(above, cst.Assign):
            value = _source(model, above.value)
            return (
                isinstance(value, cst.Name) and value.value != name and _from_loader(model, value, depth + 1)
            )
    return False


def _source(model: ScriptModel, value: cst.BaseExpression) -> cst.BaseExpression:
    """What a value is taken from: `batch` for `batch["x"].to(device).requires_grad_()`."""
    while True:
        if isinstance(value, cst.Subscript):
            value = value.value
        elif isinstance(value, (cst.Call, cst.Attribute)) and _keeps_value(model, value):
            value = _inner(value)
        else:
            return value


def serves_training_only(model: ScriptModel, owner: cst.Name) -> bool:
    """Whether a local goes to modules, losses and torch functions only: nobody else reads its gradient."""
    found = variable(model, owner, owner.value)
    if found is None or found.captured:
        return False
    return not any(_escapes(model, node) for nodes in found.reads.values() for node in nodes)


def _escapes(model: ScriptModel, node: cst.Name) -> bool:
    above = model.parent(node)
    if isinstance(above, (cst.Return, cst.Yield, cst.Element, cst.DictElement)):
        return True
    if isinstance(above, cst.Assign):
        return not isinstance(above.targets[0].target, cst.Name)
    if not isinstance(above, cst.Arg):
        return False
    call = model.parent(above)
    if not isinstance(call, cst.Call):
        return False
    if model.names.one(call.func).startswith("torch.") or dotted(call.func) in _KNOWN_CALLS:
        return False
    if dotted(call.func).startswith("self."):
        return False
    events = (*model.trace.forwards.values(), *model.trace.criteria.values())
    # Functions of the file count as well: the file reads no gradients at all.
    ran = {e.node for e in events} | {f.call for e in events for f in e.frame.chain() if f.call is not None}
    return call not in ran and not (
        isinstance(call.func, cst.Attribute) and root_name(call.func) == node.value
    )
