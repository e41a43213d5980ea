"""The names of a checkpoint and of its parts, and what reads of them are for."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import Variable, variable
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.syntax.tree import dotted, last_name

_NOT_COPIED = ("optimizer", "scaler")


def use_followed(model: ScriptModel, node: cst.CSTNode) -> str:
    """What a read is for, followed through the local name that it may give to a part."""
    use, part = _use(model, node)
    if use != "part" or part is None:
        return "other" if use == "part" else use
    inner = [_use(model, n)[0] for names in part.reads.values() for n in names]
    if part.captured or any(kind in ("other", "part") for kind in inner):
        return "other"
    return "model" if "model" in inner else "optimizer" if "optimizer" in inner else "small"


def family_of(
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
                return _taker(model, above), None
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


def _taker(model: ScriptModel, call: cst.Call) -> str:
    """Who takes a state in: an optimizer shares its tensors, as does a module with `assign=True`."""
    if any(a.keyword is not None and a.keyword.value == "assign" for a in call.args):
        return "optimizer"
    owner = call.func.value if isinstance(call.func, cst.Attribute) else call.func
    shared = kind_of(model, owner) in _NOT_COPIED or "sched" in last_name(owner).lower()
    return "optimizer" if shared else "model"


def _is_whole(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a read takes the checkpoint itself under another name."""
    return isinstance(model.parent(node), cst.Assign)
