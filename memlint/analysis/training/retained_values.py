"""What is stored step after step, whether or not it carries a graph: tensors, views and batches."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Called, Loop, Store
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.knowledge import data_hints, hints, naming
from memlint.analysis.knowledge.libraries import PART_LISTS
from memlint.analysis.model import ScriptModel
from memlint.analysis.trace import Trace
from memlint.analysis.training.containers import (
    emptied_anywhere,
    emptied_by_methods,
    emptied_in,
    last_name,
    shown_container,
)
from memlint.analysis.training.hardware.devices import may_use_cuda
from memlint.analysis.training.lifetimes.bounds import cut_to_a_limit, filled_to_a_limit, keeps_the_last
from memlint.analysis.training.loading.placement import defaults_to_cuda
from memlint.analysis.training.loops import (
    has_data_of_its_own,
    in_forward,
    is_micro_loop,
    over_batches,
    over_loader,
)
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.traits import Trait
from memlint.analysis.uses.host_moves import moved_to_host
from memlint.analysis.values import Kind, Ref, Tensor, Unknown, options_of
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import (
    UNKNOWN,
    calls_in,
    item_key,
    literal,
    place,
    reads_place,
    same,
    shown_place,
)
from memlint.syntax.tree import dotted


@dataclass(frozen=True, slots=True)
class RetainedValue:
    """A value that a container takes in with every batch, and what is known of the tensors in it."""

    store: Store
    loop: Loop
    members: tuple[Tensor | Unknown, ...]

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The members that are tensors for sure."""
        return tuple(m for m in self.members if isinstance(m, Tensor))


def retained_values(model: ScriptModel, *, forwards: bool = False) -> list[RetainedValue]:
    """All containers that grow with the batches of a loop, each place once.

    With `forwards`, every loop counts that makes a forward pass in each turn, whatever it goes through.
    """
    return _retained_values(model, forwards)


@cached
def _retained_values(model: ScriptModel, forwards: bool) -> list[RetainedValue]:
    found: dict[int, RetainedValue] = {}
    for store in model.trace.stores.values():
        retained = _retained_value(model, store, forwards)
        known = found.get(id(store.node))
        if retained is not None and (known is None or _decides(retained, known)):
            found[id(store.node)] = retained
    return list(found.values())


def _decides(retained: RetainedValue, known: RetainedValue) -> bool:
    """Whether one call of a function fills the container on the GPU, and the known one on the CPU."""
    return any(map(on_gpu, retained.tensors)) and not any(map(on_gpu, known.tensors))


def _retained_value(model: ScriptModel, store: Store, forwards: bool) -> RetainedValue | None:
    trace = model.trace
    if store.how != "store" or store.bounded is not None:
        return None
    if store.key[0] in trace.generators and store.key[0] not in trace.collected:
        return None
    if in_unit_test(model, store.frame):
        return None
    if store.within and emptied_anywhere(model, store.target, taking=True):
        return None
    for loop in store.grows:
        if in_forward(trace, loop) or is_micro_loop(trace, loop, store.loops):
            continue
        batches = [outer for outer in loop.outer if over_loader(outer) and outer not in store.grows]
        if batches and not has_data_of_its_own(loop, tuple(batches)):
            continue  # a new one for each batch: it holds what its samples give
        steps = goes_through_data(model, loop) or (forwards and over_batches(trace, loop))
        if not (steps or is_training_step(trace, loop) or gathers_inputs(model, store, loop)):
            continue
        # Few loops come so far, and only for them are definitions followed.
        inner = _over_inner_dimension(model, loop) or _over_networks(model, loop)
        inner = inner or _over_loaders(model, loop)
        if inner or _over_fields(model, loop) or _copies_entries(model, loop):
            if _is_field(store, loop):
                return None  # each turn of the loops around it brings the same fields again
            continue
        if stops_early(model, loop) or emptied_in(model, store.target, loop.node):
            continue
        if emptied_by_methods(model, store.target, store.node, loop.node):
            continue
        around = model.function_of(store.node) or loop.node
        if filled_to_a_limit(model, store.node, loop.node) or cut_to_a_limit(model, store.target, around):
            continue
        if keeps_the_last(model, store.target, loop.node):
            continue
        if isinstance(store.node, cst.GeneratorExp) and not _is_listed(model, store.node):
            continue
        if _replaces(model, store):
            return None
        return RetainedValue(store, loop, tuple(tensors_in(model.machine, store.value)))
    return None


def _replaces(model: ScriptModel, store: Store) -> bool:
    """Whether an entry gets what is made of what it had: `batch[k] = batch[k].cuda()`."""
    lines = [n for n in (store.node, *model.ancestors(store.node)) if isinstance(n, cst.Assign)]
    entries = [t.target for line in lines for t in line.targets if isinstance(t.target, cst.Subscript)]
    if not entries:
        return False
    value = lines[0].value
    sources: list[cst.CSTNode] = [value]
    sources += [s.node for s in value_sources(model, value) if isinstance(s.node, cst.BaseExpression)]
    return any(same(e, n) for e in entries for part in sources for n in model.every(cst.Subscript, part))


def _over_inner_dimension(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop counts the places of one tensor along another dimension than its first: its time steps
    or channels, not samples."""
    call = loop.node.iter if isinstance(loop.node, (cst.For, cst.CompFor)) else None
    if not isinstance(call, cst.Call) or last_name(call.func) != "range" or len(call.args) not in (1, 2):
        return False  # with a step it counts tiles or windows
    counts = value_sources(model, call.args[min(1, len(call.args) - 1)].value)
    return bool(counts) and all(_is_inner_size(count) for count in counts)


def _is_inner_size(count: Definition) -> bool:
    """Whether a number is `x.size(1)`, `x.shape[1]` or `length` of `batch, length = x.shape`."""
    node = count.node
    if count.kind == "item":
        sized = isinstance(node, cst.Call) and last_name(node.func) == "size" and not node.args
        shape = isinstance(node, cst.BaseExpression) and last_name(node) == "shape"
        return count.index > 0 and (sized or shape)
    if count.kind != "value":
        return False
    if isinstance(node, cst.Call) and last_name(node.func) == "size" and node.args:
        return literal(node.args[0].value) not in (0, UNKNOWN)
    return (
        isinstance(node, cst.Subscript)
        and last_name(node.value) == "shape"
        and item_key(node) not in (0, UNKNOWN)
    )


def _over_fields(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop goes through fields, not batches: their names, the parts of a network, literals, or the
    entries of a dictionary that is written out."""
    call = loop.node.iter if isinstance(loop.node, (cst.For, cst.CompFor)) else None
    if call is not None and data_hints.FIELD_NAMES.search(last_name(call)):
        return True
    if isinstance(call, (cst.Tuple, cst.List)):
        return all(literal(element.value) is not UNKNOWN for element in call.elements)
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    if call.func.attr.value in PART_LISTS:
        return True
    if call.func.attr.value not in ("items", "values", "keys"):
        return False
    sources = [s.node for s in value_sources(model, call.func.value)]
    return bool(sources) and all(isinstance(node, cst.Dict) and node.elements for node in sources)


def _over_networks(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop goes through networks and runs each: `for tower in towers: kept.append(tower(x))`."""
    if not isinstance(loop.node, (cst.For, cst.CompFor)):
        return False
    own = [f.node for f in model.trace.forwards.values() if f.loops and f.loops[-1] == loop]
    called = {n.func.value for n in own if isinstance(n, cst.Call) and isinstance(n.func, cst.Name)}
    return any(isinstance(n, cst.Name) and n.value in called for n in model.walk(loop.node.target))


def _over_loaders(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop goes through loaders, and a loop in it through the batches of each:
    `for loader in loaders: means.append(mean(f(x) for x in loader))`. It has as many turns as loaders;
    `DataLoader(part)` makes one of what the loop gives."""
    if not isinstance(loop.node, cst.For):
        return False
    names = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    passes = (f.loops for f in model.trace.forwards.values() if loop in f.loops)
    inner = {x for loops in passes for x in loops[loops.index(loop) + 1 :] if over_loader(x)}
    sources = [x.node.iter for x in inner if isinstance(x.node, (cst.For, cst.CompFor))]
    given = (s for s in sources if not any(last_name(c.func)[:1].isupper() for c in calls_in(s)))
    return any(isinstance(n, cst.Name) and n.value in names for s in given for n in model.walk(s))


def _copies_entries(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop goes through the entries of one mapping, and runs no network: `for key in record:
    kept[key] = record[key].cuda()`. What it fills has as many entries as the mapping."""
    if not isinstance(loop.node, cst.For) or any(loop in f.loops for f in model.trace.forwards.values()):
        return False
    source = loop.node.iter
    if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute):
        return source.func.attr.value in ("items", "keys") and not source.args
    parts = model.every(cst.Subscript, loop.node.body)
    return any(
        same(part.value, source)
        and isinstance(index := part.slice[0].slice, cst.Index)
        and same(index.value, loop.node.target)
        for part in parts
    )


def _is_field(store: Store, loop: Loop) -> bool:
    """Whether the key of a store is what a loop goes through, and called like the name of a field."""
    entry, target = store.node, loop.node.target if isinstance(loop.node, (cst.For, cst.CompFor)) else None
    names = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
    if not isinstance(entry, cst.Subscript) or not isinstance(key := entry.slice[0].slice, cst.Index):
        return False
    named = data_hints.FIELD_KEY.match(dotted(key.value))
    return named is not None and any(name is not None and same(name, key.value) for name in names)


_PIECES = r"\.(split|chunk|unbind)\("
"""How a loop goes through the pieces of one tensor."""


def goes_through_data(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop runs through a loader, or through data in another way with a forward in each turn."""
    source = _source(loop)
    if re.search(_PIECES, source):
        return False
    if source.startswith("range(") and _cuts_device_tensor(model, loop):
        return False
    if _feeds_itself(model, loop) or (over_loader(loop) and not source.startswith("range(")):
        return True
    if not data_hints.DATA_LOOP.search(source):
        return False
    return over_batches(model.trace, loop) and _moves(model, loop)


def is_training_step(trace: Trace, loop: Loop) -> bool:
    """Whether each turn of a loop is one step of an optimizer, whatever it goes through."""
    return any(step.loops and step.loops[-1] is loop for step in trace.steps.values())


def gathers_inputs(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether a loop makes or reads its input itself, and what it gathers is no state that it goes on with.

    The proof is that the whole is moved to the host afterwards, or that it is joined to what nobody reads
    before the end.
    """
    if isinstance(loop.node, cst.While) or _over_tensor(loop):
        return False
    if re.search(_PIECES, _source(loop)) and any(outer not in store.grows for outer in loop.outer):
        return False  # the pieces of one item, gathered for that alone
    if data_hints.RESULTS_LOOP.search(_source(loop)):
        return False
    makes = _moves(model, loop)
    if store.product:
        lasts = all(outer in store.grows for outer in loop.outer)
        return makes and lasts and not _is_read_in(model, store, loop)
    counts = _source(loop).startswith("range(")
    reads = makes or over_loader(loop) or (not counts and bool(data_hints.DATA_LOOP.search(_source(loop))))
    return reads and moved_to_host(model, store.target, store.node)


def _is_read_in(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether a loop reads what it joins to, apart from the statement that does so and tests of it."""
    line, box = model.statement_of(store.node), shown_place(store.target)
    if reads_place(store.value_node, (box,)):
        return True
    for node in model.walk(loop.node):
        if type(node) in (cst.Name, cst.Attribute) and place(node) == box:
            above = list(model.ancestors(node))
            tested = isinstance(above[0], (cst.Comparison, cst.If, cst.AssignTarget))
            if line not in above and not tested:
                return True
    return False


def _over_tensor(loop: Loop) -> bool:
    """Whether a loop goes through the rows of one tensor, or the members of one network."""
    options = options_of(loop.iterates) if loop.iterates is not None else ()
    return any(isinstance(o, Tensor) or (isinstance(o, Ref) and o.obj.kind == "module") for o in options)


def _cuts_device_tensor(model: ScriptModel, loop: Loop) -> bool:
    """Whether a counting loop works through the slices of a tensor that was moved to a device before it."""
    if not isinstance(loop.node, cst.For):
        return False
    cut = {
        n.value.value
        for n in model.walk(loop.node.body)
        if type(n) is cst.Subscript and type(n.value) is cst.Name
    }
    scope = model.function_of(loop.node) or model.module
    return any(
        type(n) is cst.Assign
        and model.positions[n] < model.positions[loop.node]
        and type(n.value) is cst.Call
        and type(n.value.func) is cst.Attribute
        and n.value.func.attr.value in ("to", "cuda")
        and any(type(t.target) is cst.Name and t.target.value in cut for t in n.targets)
        for n in model.walk(scope)
    )


_MAKERS = frozenset("from_numpy tensor as_tensor FloatTensor to_tensor unsqueeze".split())
_DRAWS = frozenset({"torch.rand", "torch.randn", "torch.randint", "torch.normal"})


def _moves(model: ScriptModel, loop: Loop) -> bool:
    """Whether each turn makes its input or moves it to a device: a loop over rows of one batch does not."""
    return _makes_inputs(model, loop) or _moves_inputs(model, loop)


def _makes_inputs(model: ScriptModel, loop: Loop) -> bool:
    for node in model.walk(loop.node):
        if type(node) is cst.Call and dotted(node.func).rpartition(".")[2] in _MAKERS:
            return True
        if type(node) is cst.Call and keyword(node, "device") and model.path_of(node.func) in _DRAWS:
            return True
        if type(node) is cst.Arg and node.keyword is not None and node.keyword.value == "return_tensors":
            return True
    return False


def _moves_inputs(model: ScriptModel, loop: Loop) -> bool:
    return any(loop in event.loops for event in _device_moves(model))


@cached
def _device_moves(model: ScriptModel) -> list[Called]:
    """The calls that move something to an accelerator, or may."""
    paths = (".to", ".cuda", ".xpu", ".npu")
    return [e for e in model.trace.calls.values() if e.path in paths]


def _feeds_itself(model: ScriptModel, loop: Loop) -> bool:
    """Whether the body takes its batch out of a loader's iterator: `while True: x = next(it)`."""
    return isinstance(loop.node, cst.While) and any(loop in loops for loops in model.trace.iterated.values())


def _source(loop: Loop) -> str:
    return loop.source if isinstance(loop.node, (cst.For, cst.CompFor)) else ""


@cached
def stops_early(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop takes only some of the data: a `break` in it, `islice` or a slice around it."""
    if re.search(r"\b(islice|take|head|limit)\b|\[:", loop.source):
        return True
    if not isinstance(loop.node, cst.For):
        return False
    breaks = (n for n in model.walk(loop.node) if type(n) is cst.Break and _loop_of(model, n) is loop.node)
    return any(not (_is_end_of_data(model, n) or _is_off_by_default(model, n)) for n in breaks)


def _is_end_of_data(model: ScriptModel, node: cst.Break) -> bool:
    """Whether a `break` stands where an iterator has no more: `except StopIteration: break`."""
    handler = next((a for a in model.ancestors(node) if isinstance(a, (cst.ExceptHandler, cst.For))), None)
    caught = handler.type if isinstance(handler, cst.ExceptHandler) else None
    return caught is not None and last_name(caught) == "StopIteration"


def _is_off_by_default(model: ScriptModel, node: cst.Break) -> bool:
    """Whether a `break` waits for a limit that only callers set: `if n and i >= n` with `n=None`."""
    branch = next((a for a in model.ancestors(node) if isinstance(a, (cst.If, cst.For, cst.While))), None)
    function = model.function_of(node)
    if not isinstance(branch, cst.If) or function is None:
        return False
    listed = (*function.params.params, *function.params.kwonly_params)
    off = {p.name.value for p in listed if p.default is not None and literal(p.default) in (None, False, 0)}
    asked = branch.test
    while isinstance(asked, cst.BooleanOperation) and isinstance(asked.operator, cst.And):
        asked = asked.left
    if isinstance(asked, cst.Comparison) and isinstance(asked.comparisons[0].operator, cst.IsNot):
        asked = asked.left
    return isinstance(asked, cst.Name) and asked.value in off


def _is_listed(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a generator expression is run through into a container at once."""
    call = model.parent(model.parent(node) or node)
    return isinstance(call, cst.Call) and dotted(call.func) in ("list", "tuple", "sorted", "dict", "set")


def _loop_of(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    return next((a for a in model.ancestors(node) if isinstance(a, (cst.For, cst.While))), None)


def on_gpu(tensor: Tensor) -> bool:
    """Whether a tensor was moved to an accelerator and not back on any path."""
    return Trait.GPU in tensor.traits and Trait.CPU not in tensor.traits


def held_on_gpu(model: ScriptModel, retained: RetainedValue) -> list[Tensor | Unknown]:
    """The members that a container keeps on an accelerator, those of one element apart.

    Where nobody names their device, a program for GPUs that moves the whole to the host later is the proof.
    """
    moved = [m for m in retained.members if isinstance(m, Tensor) and on_gpu(m)]
    moved = [m for m in moved if Trait.SCALAR not in m.traits]
    if _is_moved_by_choice(model, retained):
        return []
    store, other = retained.store, Trait.CPU | Trait.SCALAR | Trait.FEW | Trait.BATCH | Trait.MEMBER
    found = [m for m in retained.members if not m.traits & other]
    if moved or not found or not may_use_cuda(model) or not moved_to_host(model, store.target, store.node):
        return list(moved)
    beside = any(m.traits & Trait.CPU for m in retained.members)
    if beside or _is_made_on_host(model, store.value_node):
        return []  # what goes to the host was chosen for each part
    without = model.trace.made_without_grad
    detached = (m for m in found if isinstance(m, Tensor) and m.kind is Kind.DETACHED)
    return found if store.grad == "off" else [*detached, *(m for m in found if m.ids and m.ids <= without)]


def _is_made_on_host(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a value is made of Python numbers, and nobody names a device: `torch.tensor([a, b])`; or is a
    dictionary of numbers and of what functions make of arrays."""
    if isinstance(node, cst.Dict):
        entries = [e.value for e in node.elements]
        return any(map(_takes_arrays, entries)) and all(
            isinstance(e, (cst.Name, cst.SimpleString, cst.Integer)) or _takes_arrays(e) for e in entries
        )
    sources = value_sources(model, node) if isinstance(node, cst.BaseExpression) else ()
    made = [source.node for source in sources]
    return bool(made) and all(_is_written(model, part) for part in made) and not defaults_to_cuda(model)


def _takes_arrays(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, or what a function makes of an array: `pack(a.numpy())`."""
    if isinstance(node, cst.BinaryOperation):
        return _takes_arrays(node.left) and isinstance(node.right, (cst.Integer, cst.Float, cst.Call))
    if not isinstance(node, cst.Call):
        return False
    inside = (call for arg in node.args for call in calls_in(arg.value))
    return last_name(node.func) in ("int", "float", "str", "len") or any(
        last_name(call.func) in ("numpy", "tolist", "item") for call in inside
    )


def _is_written(model: ScriptModel, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.Call) or model.path_of(node.func) not in ("torch.tensor", "torch.Tensor"):
        return False
    written = bool(node.args) and isinstance(node.args[0].value, (cst.List, cst.Tuple, cst.ListComp))
    return written and keyword(node, "device") is None


def _is_moved_by_choice(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether another way to the store moves the value to the host: the author chose where each is kept."""
    ways = options_of(retained.store.value)
    found = [list(tensors_in(model.machine, way)) for way in ways] if len(ways) > 1 else []
    return any(way and all(m.traits & Trait.CPU for m in way) for way in found)


def is_small(store: Store, tensor: Tensor | Unknown) -> bool:
    """Whether a kept tensor holds a number or so for each sample: labels, predicted classes, losses."""
    if isinstance(tensor, Tensor) and tensor.kind is Kind.INDEX:
        return True
    if tensor.traits & (Trait.FEW | Trait.SCALAR):
        return True
    receiver = _receiver(store.value_node)
    key = item_key(receiver) if isinstance(receiver, cst.Subscript) else None
    if isinstance(key, str) and naming.plain_name(key) and not key.lower().endswith("masks"):
        return True
    name = dotted(_indexed(receiver)).rpartition(".")[2]
    if Trait.MEMBER in tensor.traits:
        return not hints.MODEL_INPUT.search(name)
    shown = shown_container(store.target)
    box = last_name(shown) if shown is not None else ""
    few = (hints.LOSS_VARIABLE, hints.ONE_EACH)
    if any(hint.search(word) for hint in few for word in (name, box)) or hints.VERDICT.search(name):
        return True
    # A list of masks may hold predictions: a number for each pixel.
    return naming.plain_name(name) or (naming.plain_name(box) and not box.lower().endswith("masks"))


def _receiver(node: cst.CSTNode) -> cst.CSTNode:
    """What `.clone()`, `.detach()`, `.to(...)` and the like were called on, or what was gathered."""
    while isinstance(node, cst.Call) and isinstance(method := node.func, cst.Attribute):
        if method.attr.value in ("gather", "gather_for_metrics") and len(node.args) == 1:
            node = node.args[0].value
        elif node.args and method.attr.value not in ("to", "view", "reshape", "flatten"):
            break
        else:
            node = method.value
    return node


def _indexed(node: cst.CSTNode) -> cst.CSTNode:
    """What rows were taken from: `labels` of `labels[rows]`, but no entry of a dictionary."""
    while type(node) is cst.Subscript and not isinstance(item_key(node), str):
        node = node.value
    return node


def readers(model: ScriptModel, retained: RetainedValue) -> Iterator[cst.CSTNode]:
    """The places of the function that read the container, other than to add to it."""
    scope = model.function_of(retained.store.node) or model.module
    target = shown_place(retained.store.target)
    for node in model.walk(scope):
        if type(node) not in (cst.Name, cst.Attribute) or place(node) != target:
            continue
        parent = model.parent(node)
        if type(parent) is cst.AssignTarget or type(parent) is cst.Param or type(parent) is cst.AnnAssign:
            continue
        if type(parent) is cst.Attribute and parent.attr.value in ("append", "extend", "clear", "insert"):
            continue
        if not _is_another(model, retained.store, node):
            yield node


def _is_another(model: ScriptModel, store: Store, node: cst.CSTNode) -> bool:
    """Whether the name of a container stands for another object at a place: `box = torch.cat(box)` before."""
    method = store.node.func if isinstance(store.node, cst.Call) else None
    if not isinstance(method, cst.Attribute):
        return False
    filled = {id(d.node) for d in reaching_definitions(model, method.value)}
    read = {id(d.node) for d in reaching_definitions(model, node)}
    return bool(filled) and bool(read) and not filled & read
