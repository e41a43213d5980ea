"""What the callers in sight do with the results of a network."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Ref, options_of


def is_returned(model: ScriptModel, read: cst.Name) -> bool:
    """Whether a name is returned, alone, as an element or as a named argument of what is."""
    above = model.parent(read)
    named = isinstance(above, cst.Arg) and above.keyword is not None
    if named or isinstance(above, (cst.Element, cst.DictElement)):
        above = model.parent(model.parent(above) or above)  # type: ignore[arg-type]
    return isinstance(above, cst.Return)


def is_read_beside_loss(model: ScriptModel, line: cst.Assign, use: cst.Name) -> bool:
    """Whether a caller in sight reads what `use` returns and another result: `logits, loss = net(x, y)`."""
    holder = model.parent(use)
    whole = model.parent(holder) if isinstance(holder, cst.Element) else None
    owner = model.class_of(line)
    if not isinstance(whole, cst.Tuple) or owner is None:
        return False
    number = next(n for n, element in enumerate(whole.elements) if element is holder)
    for forward in model.trace.forwards.values():
        objects = [option.obj for option in options_of(forward.module) if isinstance(option, Ref)]
        if any(obj.cls is not None and obj.cls.node is owner for obj in objects):
            read = _read_elements(model, forward.node)
            if number in read and len(read) > 1:
                return True
    return False


def _read_elements(model: ScriptModel, call: cst.CSTNode) -> set[int]:
    """The numbers of the results of a call that are given names which are read."""
    line, found = model.parent(call), set[int]()
    if not isinstance(line, cst.Assign) or not isinstance(line.targets[0].target, cst.Tuple):
        return found
    statement = model.statement_of(line)
    for number, element in enumerate(line.targets[0].target.elements):
        name = element.value
        known = variable(model, name, name.value) if isinstance(name, cst.Name) else None
        if statement is not None and (known is None or known.captured or known.reads_after(statement)):
            found.add(number)
    return found
