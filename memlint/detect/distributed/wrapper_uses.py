"""What a file does with a network that it has wrapped: runs it, moves it, reads its weights."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import device_hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import place, words_of
from memlint.syntax.tree import last_name

_LOOKING = frozenset(
    "cuda to cpu eval half float children named_children modules named_modules state_dict "
    "load_state_dict".split()
)
"""What a network is asked for without a forward pass."""

_WEIGHTS = frozenset("module parameters named_parameters buffers zero_grad requires_grad_".split())
"""What gives the weights of a network, or the network itself."""


def may_run(model: ScriptModel, node: cst.CSTNode, names: set[str], wrapped: cst.Assign) -> bool:
    """Whether a node is a use of a wrapped network other than to move it or to read its weights."""
    if type(node) not in (cst.Name, cst.Attribute) or place(node) not in names:
        return False
    above = model.parent(node)
    if isinstance(above, cst.AssignTarget):
        return model.parent(above) is not wrapped or "." in place(node)
    looks = isinstance(above, cst.Attribute) and above.attr.value in _LOOKING
    return not (looks or isinstance(above, cst.Del))


def names_one_device(call: cst.Call) -> bool:
    """Whether the call names exactly one device: `device_ids=[0]`."""
    devices = argument(call, 1, "device_ids")
    return isinstance(devices, (cst.List, cst.Tuple)) and len(devices.elements) == 1


def is_taken_out(model: ScriptModel) -> bool:
    """Whether a file takes a module out of a wrapper, `net.module`, and so may not do without one."""
    return any(node.attr.value == "module" for node in model.names.every(cst.Attribute))


def never_called(model: ScriptModel, call: cst.Call) -> bool:
    """Whether an attribute is wrapped that nothing in the file calls, or hands to what may: its weights are
    read, by no optimizer, or it is taken out again for each use, `unwrap(self.old_model).encoder(x)`. Where
    it is only moved or saved, a base class out of view may call it."""
    line = next((a for a in model.ancestors(call) if isinstance(a, cst.Assign)), None)
    wrapped = {name for t in line.targets if "." in (name := place(t.target))} if line is not None else set()
    wrapping = set(model.walk(line.value)) if line is not None else set()
    reads = [n for n in model.names.every(cst.Attribute) if place(n) in wrapped and n not in wrapping]
    used = [model.parent(n) for n in reads if not model.is_target(n)]
    if not all(_takes_weights(model, above) or _takes_out(model, above) for above in used):
        return False
    shown = [a for a in used if isinstance(a, cst.Attribute) and a.attr.value.endswith("parameters")]
    trained = any(_is_optimized(model, above) for above in shown)
    return not trained and (bool(shown) or any(_takes_out(model, above) for above in used))


def _takes_weights(model: ScriptModel, above: cst.CSTNode | None) -> bool:
    """Whether what reads a network moves it, reads its weights, or copies them."""
    if isinstance(above, cst.Attribute):
        return above.attr.value in _LOOKING | _WEIGHTS
    taker = model.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(taker, cst.Call) and bool(device_hints.COPIES_WEIGHTS.search(last_name(taker.func)))


def _takes_out(model: ScriptModel, above: cst.CSTNode | None) -> bool:
    """Whether a network is taken out of its wrapper where it is read: `unwrap(self.net)`."""
    taker = model.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(taker, cst.Call) and "unwrap" in last_name(taker.func)


def _is_optimized(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression is an argument of what is named like an optimizer or makes one."""
    calls = (above for above in model.ancestors(node) if isinstance(above, cst.Call))
    return any("optim" in part.lower() for call in calls for part in words_of(call.func))


def goes_on_without_grad(model: ScriptModel, call: cst.Call) -> bool:
    """Whether what follows a wrapper in its function runs the network under `no_grad` and nowhere else."""
    function, line = model.function_of(call), model.parent(call)
    if function is None or function.name.value == "__init__" or not isinstance(line, cst.Assign):
        return False
    wrapped, rank = {place(t.target) for t in line.targets} - {""}, model.positions
    later = [c for c in model.every(cst.Call, function) if rank[c] > rank[call]]
    covered = {c for c in later if _is_without_grad(model, c)}
    return bool(covered) and not any(_may_run_it(c, wrapped) for c in later if c not in covered)


def _is_without_grad(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node stands in a block under `no_grad`."""
    blocks = (above for above in model.ancestors(node) if isinstance(above, cst.With))
    entered = (item.item for block in blocks for item in block.items)
    paths = (model.path_of(context.func) for context in entered if isinstance(context, cst.Call))
    return any(libraries.GRAD_CONTEXTS.get(path) == "off" for path in paths)


def _may_run_it(call: cst.Call, wrapped: set[str]) -> bool:
    """Whether a call may run a network: its own, one that it is given to, or a method of its owner."""
    name, owners = place(call.func), {whole.rpartition(".")[0] for whole in wrapped} - {""}
    given = any(place(arg.value) in wrapped for arg in call.args)
    return given or name in wrapped or any(name == f"{o}.{last_name(call.func)}" for o in owners)
