"""What is stored in a container: perhaps no tensor at all, or one that gets a gradient."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.interpret.contents import stored
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.retained_values import RetainedValue, readers
from memlint.analysis.uses.host_moves import moved_to_host
from memlint.analysis.values import Items, Ref, Scalar, Tensor, Value, options_of
from memlint.detect.retention.container_use import is_joined
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import item_key, mentions, same
from memlint.syntax.tree import dotted, last_name, methods, root_name


def may_be_no_tensor(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether an attribute of an unseen result is stored that neither its name nor its use shows a tensor, an
    entry with the name of a text, or a sample of an entry of a batch: a text, perhaps. Or the result of a
    method that subclasses define, and that of an `async` function, which gives a coroutine."""
    value, node = retained.store.value, retained.store.value_node
    called = definition(model, node.func) if isinstance(node, cst.Call) else None
    if isinstance(called, cst.FunctionDef) and called.asynchronous is not None:
        return True
    if isinstance(value, Items) and _is_of_subclasses(model, node):
        return True
    if any(_holds_numbers(model, option) for option in options_of(value)):
        return True
    key = item_key(node) if isinstance(node, cst.Subscript) else None
    if isinstance(key, str) and hints.TEXT_ENTRY.search(key):
        return not any(is_joined(model, reader) for reader in readers(model, retained))
    entry = node.value if isinstance(node, cst.Subscript) else None
    sample = isinstance(entry, cst.Subscript) and isinstance(item_key(entry), str)
    unseen = isinstance(node, cst.Attribute) or _is_of_subclasses(model, node)
    if not isinstance(value, Tensor) or not (sample or (value.opaque and unseen)):
        return False
    joined = any(is_joined(model, reader) for reader in readers(model, retained))
    name = node.attr.value if isinstance(node, cst.Attribute) else ""
    return not joined and not hints.TENSOR_ATTRIBUTE.search(name)


def _holds_numbers(model: ScriptModel, value: Value) -> bool:
    """Whether a list holds tensors on one path and numbers on another: `decode()`, or `argmax().tolist()`."""
    members = stored(model.machine, value.obj) if isinstance(value, Ref) and value.obj.kind == "list" else ()
    return any({Tensor, Scalar} <= {type(option) for option in options_of(member)} for member in members)


def is_differentiated_leaf(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is stored is an input that gets a gradient: on the host it would be another tensor."""
    value = retained.store.value_node
    read = (n for n in model.every(cst.Attribute, retained.loop.node) if same(n.value, value))
    return any(n.attr.value in ("requires_grad", "requires_grad_", "retain_grad") for n in read)


def _is_of_subclasses(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression calls a method on `self` that only other classes of the file define."""
    owner, path = model.class_of(node), dotted(node.func) if isinstance(node, cst.Call) else ""
    if owner is None or not path.startswith("self.") or path.count(".") > 1:
        return False
    classes = model.every(cst.ClassDef, model.module)
    named = [(c, m) for c in classes for m in methods(c) if m.name.value == path[5:]]
    defining = [c for c, m in named if not leaves(m.body, Leave.RAISE)]
    return bool(defining) and owner not in defining


def is_input(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether data is only moved: what is needed on the device at once, is asked for there, or is to be there
    as a whole before anything runs on it."""
    if _is_move_of_an_argument(model, retained) or _is_input_of_a_network(model, retained):
        return True
    return _is_data_set_on_the_device(model, retained)


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


_MOVES = (
    "to",
    "cuda",
    "float",
    "long",
    "double",
    "half",
    "view",
    "reshape",
    "squeeze",
    "unsqueeze",
    "flatten",
)
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


def is_block_of_a_tensor(retained: RetainedValue) -> bool:
    """Whether a store fills a block of a matrix, `k[a:b, c:d] = v`."""
    node = retained.store.node
    blocks = node.slice if isinstance(node, cst.Subscript) else ()
    return len(blocks) > 1 and any(isinstance(block.slice, cst.Slice) for block in blocks)


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
