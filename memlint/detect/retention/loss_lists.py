"""Which lists of losses are only added up."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place, speaks_of
from memlint.syntax.tree import dotted, last_name


def is_summed_up(model: ScriptModel, store: Store) -> bool:
    """Whether a list of losses is only added up: `sum(losses)`, `torch.stack(losses).mean()`."""
    name, lossy = store.target, speaks_of(store.value_node, hints.LOSS_WORD)
    if isinstance(store.node, cst.BaseComp):
        parent = model.parent(store.node)
        if isinstance(parent, cst.Arg):
            call = model.parent(parent)
            return lossy and isinstance(call, cst.Call) and dotted(call.func) in ("sum", "torch.stack")
        name = place(parent.targets[0].target) if isinstance(parent, cst.Assign) else ""
    if not name or not (lossy or hints.LOSS_WORD.search(name)):
        return False
    given = (call for call in model.names.calls if call.args and place(call.args[0].value) == name)
    return any(_sums_up(model, call) for call in given)


def _sums_up(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call that gets a list adds it up: `sum(box)`, `stack(box).mean()`, `sum(stack(box))`."""
    if len(call.args) != 1 or last_name(call.func) not in ("sum", "stack"):
        return False
    above = model.parent(call)
    if isinstance(above, cst.Arg):
        above = getattr(model.parent(above), "func", above)
    return last_name(call.func) == "sum" or last_name(above or call) in ("sum", "mean")
