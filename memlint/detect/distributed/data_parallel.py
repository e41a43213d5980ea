"""MEM601: DataParallel replicates the model at every step and loads its first device with the rest."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.guards import never_runs, stands_behind
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import cpu_only, wraps_ddp
from memlint.analysis.training.hardware.launchers import has_own_launcher
from memlint.catalogue import Rule
from memlint.detect.distributed.trained_here import is_trained, speaks_of_ddp, trains, trains_nothing
from memlint.detect.distributed.wrapper_uses import is_taken_out, may_run, names_one_device
from memlint.finding import Applicability
from memlint.syntax.expressions import mentions, place, reads_place, same
from memlint.syntax.tree import last_name

_WRAPPERS = (
    "torch.nn.DataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.nn.parallel.data_parallel.DataParallel",
)
_FUNCTIONS = (
    "torch.nn.parallel.data_parallel",
    "torch.nn.parallel.data_parallel.data_parallel",
)
_CAUTION = "the keys lose their `module.`: checkpoints written before no longer fit; inputs are moved no more"
_UNPACKED = "other lines take the module out of the wrapper, `.module`"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of DataParallel in files that train."""
    if cpu_only(model):
        return
    trains_here = trains(model)
    for path in (*_WRAPPERS, *_FUNCTIONS):
        for node in model.names.references(path):
            call = model.parent(node)
            if not isinstance(call, cst.Call) or call.func is not node or not call.args:
                continue
            if model.names.one(node) != path or never_runs(model, call) or _is_passing(model, call):
                continue
            if trains_nothing(model, call) or (not trains_here and not is_trained(model, call)):
                continue
            yield _match(model, call, path in _WRAPPERS)
    for event in calls_of(model, *_WRAPPERS, *_FUNCTIONS):
        call = event.node
        if not isinstance(call, cst.Call) or model.owns(call) or not call.args:
            continue
        if trains_here and not never_runs(model, call) and not _is_passing(model, call):
            yield _match(model, call, event.path in _WRAPPERS)


def _match(model: ScriptModel, call: cst.Call, wraps: bool) -> Match:
    values = {"model": model.short(call.args[0].value)}
    # What one function wraps is trained together, and would be wrapped in DDP together.
    causes = ((model.function_of(call) or model.module,),)
    if wraps and names_one_device(call):
        if is_taken_out(model):
            return Match(call, values, "single", causes=causes, no_fix=_UNPACKED)
        plan = Plan(Applicability.UNSAFE, "unwrap the module", (_unwrapped(model, call),), _CAUTION)
        return Match(call, values, "single", plans=(plan,), causes=causes)
    names = ("launched", "fallback-launched") if has_own_launcher(model) else ("default", "fallback")
    variant = names[bool(wraps_ddp(model) or speaks_of_ddp(model, call))]
    return Match(call, values, variant, causes=causes)


def _unwrapped(model: ScriptModel, call: cst.Call) -> Change:
    """The module in place of the call; where it was its own wrapper's name, nothing is left to do."""
    text, above = model.code(call.args[0].value), model.parent(call)
    if isinstance(above, cst.Assign) and all(same(t.target, call.args[0].value) for t in above.targets):
        return Remove(above)
    return Replace(call, text)


def _is_passing(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a function only evaluates, takes the wrapper off again, or wraps parts of what is wrapped."""
    if stands_behind(model, call, lambda test: mentions(test, "DataParallel")):
        return True
    function = model.function_of(call)
    name = function.name.value if function is not None else ""
    if (naming.evaluates(name) or naming.infers(name)) and not naming.trains(name):
        return True
    parent = model.parent(call)
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in ("load_state_dict", "module", "state_dict")
    if not isinstance(parent, cst.Assign):
        return False
    names = {place(target.target) for target in parent.targets} - {""}
    rank = model.positions
    within = list(model.walk(function or model.module))
    if function is not None and names and not any(may_run(model, n, names, parent) for n in within):
        return True  # its weights are read, and no batch goes through it
    ends = [rank[n] for n in within if _takes_off(model, n, names) and rank[n] > rank[parent]]
    return bool(ends) and not any(_trains_between(model, n, rank[parent], min(ends)) for n in within)


def _trains_between(model: ScriptModel, node: cst.CSTNode, start: int, end: int) -> bool:
    """Whether a node is the call of a training that lies between two positions."""
    if not isinstance(node, cst.Call) or not start < model.positions[node] < end:
        return False
    return naming.trains(last_name(node.func))


def _takes_off(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    """Whether a statement is `net = net.module` or `return net.module`."""
    if not isinstance(node, (cst.Assign, cst.Return)) or node.value is None:
        return False
    if not reads_place(node.value, [f"{name}.module" for name in names]):
        return False
    return isinstance(node, cst.Return) or any(place(t.target) in names for t in node.targets)
