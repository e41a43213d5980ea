"""Data that a loop or comprehension only moves to the device: it is wanted there."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.retained_values import RetainedValue
from memlint.analysis.uses.host_moves import moved_to_host, reaches_host
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import mentions, same
from memlint.syntax.tree import dotted, last_name, root_name


def is_input(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether data is only moved: what is needed on the device at once, is asked for there, or is to be there
    as a whole before anything runs on it."""
    if _is_move_of_an_argument(model, retained) or _is_input_of_a_network(model, retained):
        return True
    return _is_data_set_on_the_device(model, retained) or _only_moves(model, retained)


def _only_moves(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a comprehension does nothing but move data, and nothing moves it back to the host:
    `[torch.from_numpy(y).cuda() for y in arrays]`."""
    made, value = retained.store.node, retained.store.value_node
    if not isinstance(made, cst.ListComp) or reaches_host(model, made):
        return False
    names = model.names_in(made.for_in.target)
    if isinstance(value, cst.DictComp):
        if not model.names_in(value.for_in.iter) & names:
            return False
        names, value = model.names_in(value.for_in.target), value.value
    if not isinstance(value, cst.Call) or last_name(value.func) not in ("to", "cuda"):
        return False
    moved = value.func.value if isinstance(value.func, cst.Attribute) else None
    if isinstance(moved, cst.Call) and model.path_of(moved.func) in _FROM_ARRAYS and moved.args:
        moved = moved.args[0].value
    return isinstance(moved, cst.Name) and moved.value in names


_FROM_ARRAYS = frozenset({"torch.from_numpy", "torch.as_tensor", "torch.tensor"})


def _is_data_set_on_the_device(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a loop does nothing but move the parts of its batches and gather them, which stay there:
    `xs.append(x.to(device))`. Who wants the data on the host would not have moved it."""
    moved, loop = retained.store.value_node, retained.loop.node
    if not isinstance(moved, cst.Call) or last_name(moved.func) not in ("to", "cuda"):
        return False
    if not isinstance(moved.func, cst.Attribute) or not isinstance(
        moved.func.value, (cst.Name, cst.Subscript)
    ):
        return False
    if not isinstance(loop, cst.For) or not mentions(loop.target, root_name(moved.func.value)):
        return False
    other = (last_name(call.func) not in (*_MOVES, *_GATHERS) for call in model.every(cst.Call, loop.body))
    return not any(other) and not moved_to_host(model, retained.store.target, retained.store.node)


_MOVES = tuple("to cuda float long double half view reshape squeeze unsqueeze flatten".split())
_GATHERS = ("append", "extend", "add", "update", "print", "len")


def _is_move_of_an_argument(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a function moves the members of what it was given, and gives them back: that is its purpose."""
    comp, value = retained.store.node, retained.store.value_node
    if not isinstance(comp, cst.ListComp) or not isinstance(value, cst.Call):
        return False
    function, source = model.function_of(comp), comp.for_in.iter
    moved = value.func.value if isinstance(value.func, cst.Attribute) else value
    given = parameters(function) if function is not None else []
    moves = last_name(value.func) in ("to", "cuda") and same(moved, comp.for_in.target)
    return moves and dotted(source) in given and any(isinstance(a, cst.Return) for a in model.ancestors(comp))


def _is_input_of_a_network(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a comprehension moves the parts of one input that a call takes with its network, and runs none:
    `step(self.net, [torch.as_tensor(s, device=device) for s in state_batches])`."""
    made = retained.store.node
    given = model.parent(made)
    call = model.parent(given) if isinstance(given, cst.Arg) else None
    if not isinstance(made, cst.BaseComp) or not isinstance(call, cst.Call):
        return False
    inside = {id(node) for node in model.walk(made)}
    if any(id(forward.node) in inside for forward in model.trace.forwards.values()):
        return False
    taken = (call.func, *(argument.value for argument in call.args))
    return any(kind_of(model, part) == "module" for part in taken)
