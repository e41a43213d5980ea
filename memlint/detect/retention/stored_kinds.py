"""What is stored in a container: perhaps no tensor at all, or one that gets a gradient."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.interpret.contents import stored
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue, readers
from memlint.analysis.values import Items, Ref, Scalar, Tensor, Value, options_of
from memlint.detect.retention.container_use import is_joined
from memlint.syntax.expressions import item_key, same
from memlint.syntax.tree import dotted, last_name, methods


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


def is_kept_for_itself(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is stored is a state of an object, or an entry that is only made where there is none."""
    return _is_state(model, retained) or _is_made_where_missing(model, retained)


def _is_state(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is stored is, or holds, the state of an object, which is kept for its own sake and moved
    otherwise than a tensor: `kept[step] = {"net": net.state_dict()}`."""
    line = model.statement_of(retained.store.node)
    calls = model.every(cst.Call, line) if isinstance(line, cst.SimpleStatementLine) else ()
    return any(last_name(call.func) == "state_dict" for call in calls)


def _is_made_where_missing(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether an entry is only made for a key that is not there: `if k not in box: box[k] = zeros(3)`."""
    entry = retained.store.node
    if not isinstance(entry, cst.Subscript) or not isinstance(key := entry.slice[0].slice, cst.Index):
        return False
    tests = (above.test for above in model.ancestors(entry) if isinstance(above, cst.If))
    return any(
        isinstance(test, cst.Comparison)
        and isinstance(test.comparisons[0].operator, cst.NotIn)
        and same(test.left, key.value)
        and same(test.comparisons[0].comparator, entry.value)
        for test in tests
    )


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


def is_block_of_a_tensor(retained: RetainedValue) -> bool:
    """Whether a store fills a block of a matrix, `k[a:b, c:d] = v`."""
    node = retained.store.node
    blocks = node.slice if isinstance(node, cst.Subscript) else ()
    return len(blocks) > 1 and any(isinstance(block.slice, cst.Slice) for block in blocks)


def holds_objects(model: ScriptModel, box: cst.BaseExpression) -> bool:
    """Whether a dictionary holds objects of a class, `{n: Sums(n) for n in names}`: it says what it adds."""
    name = dotted(box.value) if isinstance(box, cst.Subscript) else ""
    lines = [a.value for a in model.names.every(cst.Assign) if name in [dotted(t.target) for t in a.targets]]
    made = [line.value for line in lines if isinstance(line, cst.DictComp)]
    classes = [m for m in made if isinstance(m, cst.Call) and naming.class_name(last_name(m.func))]
    return bool(name) and 0 < len(classes) == len(lines)
