"""Which names of one running function hold the output of a forward pass, where nothing else does."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.liveness import Variable, first_node, variable
from memlint.analysis.facts import Backward, Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame, Items, Ref, Tensor, Unknown, Value, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import dotted, last_name

_SAME_STORAGE = frozenset(
    "detach data view reshape flatten squeeze unsqueeze transpose permute contiguous view_as narrow select "
    "chunk split unbind t T movedim swapaxes logits clone_".split()
)
_STORING = frozenset(
    "append extend insert add put push update store appendleft setdefault save_for_backward register_buffer "
    "register_hook put_nowait".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Alive:
    """Names that hold a forward's output while `backward` runs in the statement `line`.

    `site` is where the loss took what it needed of them, `later` whether they are read after the backward
    began.
    """

    names: tuple[str, ...]
    variables: tuple[Variable, ...]
    backward: Backward
    line: cst.BaseStatement
    site: cst.CSTNode
    forward: Forward
    later: bool


def held_by_names(
    model: ScriptModel, backward: Backward, sources: set[int], forward: Forward, site: cst.CSTNode
) -> Alive | None:
    """The names of one running function that hold these values, where nothing else does."""
    holders = [(held.frame, key[1]) for key, held in backward.held.items() if _holds(held.value, sources)]
    frames = {frame for frame, _ in holders}
    if len(frames) != 1 or any(h.ids & sources and isinstance(h.value, Ref) for h in backward.held.values()):
        return None
    frame = frames.pop()
    line = _statement_in(model, backward, frame)
    names = tuple(dict.fromkeys(name for _, name in holders))
    variables = [variable(model, line, name) for name in names] if line is not None else []
    if line is None or any(v is None or _escapes(model, v, names) for v in variables):
        return None
    known = tuple(v for v in variables if v is not None)
    if any(v.parameter for v in known):
        return None
    start = first_node(known[0].flow, line)
    if start is None:
        return None
    later = any(any(v.reads_from(start)) for v in known)
    return Alive(names, known, backward, line, site, forward, later)


def _holds(value: Value, sources: set[int]) -> bool:
    for option in options_of(value):
        if isinstance(option, (Tensor, Unknown)) and option.ids & sources:
            return True
        if isinstance(option, Items) and any(_holds(v, sources) for v in option.items):
            return True
    return False


def _statement_in(model: ScriptModel, backward: Backward, frame: Frame) -> cst.BaseStatement | None:
    """The statement of a running function during which the backward runs."""
    node = active_nodes(backward).get(frame)
    if node is None:
        return None
    line = model.statement_of(node)
    return line if isinstance(line, cst.SimpleStatementLine) and len(line.body) >= 1 else None


def _escapes(model: ScriptModel, name: Variable, names: tuple[str, ...]) -> bool:
    """Whether something other than these names of the function gets hold of the tensor, or a view of it."""
    return any(_is_stored(model, node, names) for nodes in name.reads.values() for node in nodes)


def _is_stored(model: ScriptModel, node: cst.CSTNode, names: tuple[str, ...]) -> bool:
    """Whether a read puts the tensor, or a view of it, into something that outlives these names."""
    below, above = node, model.parent(node)
    while above is not None:
        if isinstance(above, cst.Attribute) and above.value is below and above.attr.value in _SAME_STORAGE:
            below, above = above, model.parent(above)
            if isinstance(above, cst.Call):
                below, above = above, model.parent(above)
        elif isinstance(above, cst.Subscript) and above.value is below:
            below, above = above, model.parent(above)
        else:
            break
    if isinstance(above, cst.Assign):
        stores = any(not isinstance(t.target, (cst.Name, cst.Tuple)) for t in above.targets)
        if last_name(above.value) == "logits" and not any(dotted(t.target) in names for t in above.targets):
            return True  # the part that is large has a name of its own, which the loss read besides
        # A detached view under a name of its own carries no identity by which it would be found.
        return stores or mentions(above.value, "detach", "data")
    if isinstance(above, (cst.Return, cst.Yield, cst.Element, cst.DictElement)):
        return not isinstance(above, cst.Return)
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        return isinstance(call, cst.Call) and dotted(call.func).rpartition(".")[2] in _STORING
    return False
