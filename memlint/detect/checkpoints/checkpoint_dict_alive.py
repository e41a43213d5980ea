"""MEM702: a loaded checkpoint stays named while the training that it started runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import FlowNode
from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.liveness import Variable, delete_after, flow_node_of, variable
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.dataflow.step_order import places
from memlint.analysis.facts import Backward
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.checkpoints.kept_checkpoints import assignment_of, kept_on_self
from memlint.syntax.tree import dotted

_LOADERS = frozenset(
    "torch.load torch.serialization.load safetensors.torch.load_file torch.hub.load_state_dict_from_url "
    "torch.utils.model_zoo.load_url".split()
)
_LATER = "the training that starts from it runs with the checkpoint still in memory"
_NOT_COPIED = ("optimizer", "scaler")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Names of checkpoints that only served load_state_dict and are still bound in a later step loop."""
    seen: set[tuple[str, cst.CSTNode]] = set()
    for assign, call in _loads(model):
        target = assign.targets[0].target
        assert isinstance(target, cst.Name)
        found = variable(model, target, target.value)
        if found is None or found.captured or _is_mapped(model, call):
            continue
        names, reads, fed = _family(model, found, assign)
        backward = _trained_with(model, assign, names) if fed else None
        # Two loads in the branches of one `if` are one checkpoint.
        if backward is None or (target.value, reads[-1]) in seen:
            continue
        seen.add((target.value, reads[-1]))
        shown = "`, `".join(name.name for name in names)
        values = {"name": shown, "backward": model.short(backward.node)}
        label = Label(_LATER, backward.node)
        plan = _plan(model, assign, names, reads)
        yield Match(call, values, labels=(label,), plans=(plan,) if plan is not None else ())
    for call in _calls(model):
        match = _attribute_match(model, call)
        if match is not None:
            yield match


def _calls(model: ScriptModel) -> Iterator[cst.Call]:
    """Calls that give a checkpoint, also through a function that returns what it loads."""
    direct = [c for c in model.names.calls if model.names.one(c.func) in _LOADERS]
    helpers = {f.name.value for f in filter(None, (_handing_out(model, c) for c in direct))}
    abroad = set(_abroad(model))
    for call in model.names.calls:
        if call in direct or call in abroad or (type(call.func) is cst.Name and call.func.value in helpers):
            yield call


def _abroad(model: ScriptModel) -> Iterator[cst.CSTNode]:
    """The calls in this file of another module's functions that return what they load."""
    for event in calls_of(model, *_LOADERS):
        home, caller = model.home_call(event.frame), event.frame.caller
        if home is None or caller is None or caller.foreign or not isinstance(event.node, cst.Call):
            continue
        if _handing_out(model, event.node) is event.frame.node:
            yield home


def _loads(model: ScriptModel) -> Iterator[tuple[cst.Assign, cst.Call]]:
    """`name = torch.load(...)`."""
    for call in _calls(model):
        assign = assignment_of(model, call)
        targets = [t.target for t in assign.targets] if assign is not None else []
        if assign is not None and len(targets) == 1 and isinstance(targets[0], cst.Name):
            yield assign, call


def _attribute_match(model: ScriptModel, call: cst.Call) -> Match | None:
    """A checkpoint that is kept as an attribute of `self`, which other files may read: no fix."""
    kept = None if _is_mapped(model, call) else kept_on_self(model, call, lambda n: _whole_use(model, n))
    if kept is None:
        return None
    values = {"name": kept.name, "backward": model.short(kept.backward.node)}
    return Match(call, values, "attribute", (Label(_LATER, kept.backward.node),))


def _whole_use(model: ScriptModel, node: cst.CSTNode) -> str:
    """What a read is for, followed through the local name that it may give to a part."""
    use, part = _use(model, node)
    if use != "part" or part is None:
        return "other" if use == "part" else use
    inner = [_use(model, n)[0] for names in part.reads.values() for n in names]
    if part.captured or any(kind in ("other", "part") for kind in inner):
        return "other"
    return "model" if "model" in inner else "optimizer" if "optimizer" in inner else "small"


def _handing_out(model: ScriptModel, call: cst.Call) -> cst.FunctionDef | None:
    """The function that returns what a call in it loads."""
    function, above = model.function_of(call), model.parent(call)
    if isinstance(above, cst.Return):
        return function
    if function is None or not isinstance(above, cst.Assign):
        return None
    name = dotted(above.targets[0].target)
    returned = (n.value for n in model.walk(function) if type(n) is cst.Return and n.value is not None)
    return function if name and any(dotted(value) == name for value in returned) else None


def _is_mapped(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the file is mapped into memory instead of read."""
    return any(
        a.keyword is not None and a.keyword.value == "mmap" and model.code(a.value) != "False"
        for a in call.args
    )


def _family(
    model: ScriptModel, loaded: Variable, assign: cst.Assign
) -> tuple[list[Variable], list[cst.Name], bool]:
    """The checkpoint and the names of its parts that go into load_state_dict, their reads, and whether a
    module takes one of them.

    No module is found where the checkpoint serves anything else: its tensors are then in use.
    """
    names, reads, fed = [loaded], list[cst.Name](), False
    pending: list[tuple[Variable, cst.CSTNode]] = [(loaded, assign)]
    while pending:
        name, binding = pending.pop()
        line = model.statement_of(binding)
        for node in name.reads_after(line) if line is not None else ():
            use, part = _use(model, node)
            reads.append(node)
            if use == "other":
                return names, reads, False
            fed = fed or use == "model"
            if part is not None and part not in names:
                if any(_use(model, n)[0] in ("model", "optimizer") for ns in part.reads.values() for n in ns):
                    names.append(part)
                    pending.append((part, node))
                elif _is_whole(model, node):
                    return names, reads, False
    return names, reads, fed


def _use(model: ScriptModel, node: cst.CSTNode) -> tuple[str, Variable | None]:
    """What a read of a checkpoint is for: model, optimizer, part (with the name it gets), small or other."""
    below, above = node, model.parent(node)
    while above is not None and not isinstance(above, cst.BaseSmallStatement):
        if isinstance(above, cst.Call) and isinstance(below, cst.Arg):
            name = dotted(above.func).rpartition(".")[2]
            if name == "load_state_dict":
                return _taker(above), None
            if name not in _READING and not isinstance(_receiver(above), cst.BaseString):
                return ("other" if below.value is node else "small"), None
        below, above = above, model.parent(above)
    if isinstance(above, cst.Assign) and len(above.targets) == 1 and below is above.value:
        target = above.targets[0].target
        if isinstance(target, cst.Name):
            return "part", variable(model, target, target.value)
        whole = above.value is node
        return ("other" if whole else "small"), None
    return ("other" if isinstance(above, cst.Return) and below is node else "small"), None


_READING = frozenset(
    "print len dict OrderedDict list sorted isinstance items keys get pop info debug format str type set "
    "startswith replace".split()
)


def _receiver(call: cst.Call) -> cst.CSTNode | None:
    return call.func.value if isinstance(call.func, cst.Attribute) else None


def _taker(call: cst.Call) -> str:
    """Who takes a state in: an optimizer shares its tensors, as does a module with `assign=True`."""
    if any(a.keyword is not None and a.keyword.value == "assign" for a in call.args):
        return "optimizer"
    owner = dotted(call.func).split(".")
    last = owner[-2] if len(owner) > 1 else ""
    return "optimizer" if naming.role(last) in _NOT_COPIED or "sched" in last.lower() else "model"


def _is_whole(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a read takes the checkpoint itself under another name."""
    return isinstance(model.parent(node), cst.Assign)


def _trained_with(model: ScriptModel, assign: cst.Assign, names: list[Variable]) -> Backward | None:
    """A backward in a loop at which the names are still bound, and after which none of them is read."""
    line = model.statement_of(assign)
    scope = model.function_of(assign) or model.module
    for backward in model.trace.backwards.values():
        frame = next((f for f in backward.frame.chain() if f.node is scope), None)
        node = places(backward).get(frame) if frame is not None and backward.loops else None
        step = flow_node_of(model, node) if node is not None else None
        if (
            line is not None
            and step is not None
            and names[0].reaches(line, step)
            and _is_over(names, step)
        ):
            return backward
    return None


def _is_over(names: list[Variable], step: FlowNode) -> bool:
    return not any(any(name.reads_from(step)) for name in names)


def _plan(
    model: ScriptModel, assign: cst.Assign, names: list[Variable], nodes: list[cst.Name]
) -> Plan | None:
    """Delete the names after the last statement that reads one, in the innermost block where that is safe."""
    reads = {above for node in nodes for above in model.ancestors(node)}
    bound = tuple(name.name for name in names)
    for statement in (assign, *model.ancestors(assign)):
        if isinstance(statement, (cst.For, cst.While, cst.FunctionDef)):
            return None
        block = siblings(model, statement)
        last = [s for s in block if s in reads or s is statement]
        plan = delete_after(model, bound, last[-1]) if last else None
        if plan is not None:
            return plan
    return None
