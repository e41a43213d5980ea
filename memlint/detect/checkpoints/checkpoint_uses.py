"""What a read of a checkpoint, or of a part of it, is for."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import Variable, variable
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted, last_name

_NOT_COPIED = ("optimizer", "scaler")


def use_of(model: ScriptModel, node: cst.CSTNode) -> tuple[str, Variable | None]:
    """What a read of a checkpoint is for: model, optimizer, part (with the name it gets), boxed (with that
    of the dictionary it goes into), small or other."""
    below, above = node, model.parent(node)
    while above is not None and not isinstance(above, cst.BaseSmallStatement):
        if isinstance(above, cst.Call) and isinstance(below, cst.Arg):
            name = dotted(above.func).rpartition(".")[2]
            if name == "load_state_dict":
                return _taker(model, above), None
            if name == "update" and below.value is node:
                return _part(model, _receiver(above))
            if name not in _READING and not isinstance(_receiver(above), cst.BaseString):
                return ("other" if below.value is node else "small"), None
        if isinstance(above, cst.For) and below is above.iter:
            return _part(model, _filled(model, above))
        below, above = above, model.parent(above)
    if isinstance(above, cst.Assign) and len(above.targets) == 1 and below is above.value:
        target = above.targets[0].target
        if isinstance(target, cst.Name):
            return "part", variable(model, target, target.value)
        whole = above.value is node
        return ("other" if whole else "small"), None
    return ("other" if isinstance(above, cst.Return) and below is node else "small"), None


def _part(model: ScriptModel, box: cst.CSTNode | None) -> tuple[str, Variable | None]:
    """The use of what goes into a dictionary: boxed under that name, small where there is no dictionary."""
    if not isinstance(box, cst.Name):
        return "small" if box is None else "other", None
    return "boxed", variable(model, box, box.value)


def _filled(model: ScriptModel, loop: cst.For) -> cst.CSTNode | None:
    """The dictionary that a loop over entries puts some of them into: `kept[k] = v`."""
    entry = loop.target.elements[-1].value if isinstance(loop.target, cst.Tuple) else None
    for line in model.every(cst.Assign, loop.body):
        target = line.targets[0].target
        if isinstance(target, cst.Subscript) and entry is not None and same(line.value, entry):
            return target.value
    return None


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
