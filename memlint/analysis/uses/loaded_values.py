"""Where a value that was read from a file goes: into `load_state_dict`, into plain numbers, elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import call_graph, value_sources
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.values import Ref, options_of
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import calls_one, mentions, place
from memlint.syntax.tree import dotted, last_name, root_name

_PLAIN_CALLS = frozenset({"len", "isinstance", "type", "id", "bool"})
_SAME_CALLS = frozenset(
    "dict OrderedDict deepcopy copy list tuple iter zip enumerate sorted reversed".split()
)
_KEEPING = frozenset({"Parameter", "Buffer", "register_buffer", "register_parameter", "setattr"})
_FILLING = frozenset({"load_state_dict", "copy_", "setattr"})
_SAME_METHODS = frozenset({"items", "values", "copy", "state_dict"})
_CASTS = frozenset({"float", "double", "half", "bfloat16"})
_OF_NETWORKS = frozenset({"eval", "train", "parameters", "named_parameters", "requires_grad_"})
_ENTRY_METHODS = frozenset({"get", "pop", "setdefault"})
_ELEMENTS = (cst.Element, cst.StarredElement, cst.DictElement, cst.StarredDictElement)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


def consumers(model: ScriptModel, loaded: cst.BaseExpression) -> frozenset[str]:
    """What becomes of a loaded value.

    "module", "optimizer" and "state" (a scheduler, a scaler) for the owner of a `load_state_dict` that
    gets it, "network" for a pickled module, "run" for one that is called, "filled" for one that is given
    other weights where it lies, "moved" for what is moved to a device, "plain" for what only looks at
    numbers and keys in it, "kept" for what computes with it, or keeps it, where it is, "other" for
    everything else.
    """
    found: set[str] = set()
    pending: list[cst.CSTNode] = [loaded]
    seen: set[cst.CSTNode] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        for result in _step(model, node):
            if isinstance(result, str):
                found.add(result)
            else:
                pending.append(result)
    return frozenset(found)


def is_plain(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a read of a checkpoint only takes a plain number, by its key, or looks at keys."""
    return all(step == "plain" for step in _step(model, node))


def _step(model: ScriptModel, node: cst.CSTNode) -> Iterator[str | cst.CSTNode]:
    """One use of a value: a verdict, or the nodes that hold the value next."""
    parent = model.parent(node)
    if isinstance(parent, (cst.Index, cst.SubscriptElement)):
        yield "plain"
    elif isinstance(parent, cst.Subscript):
        yield from _entry(model, parent, parent.slice[0].slice)
    elif isinstance(parent, cst.Attribute):
        yield from _attribute(model, parent)
    elif isinstance(parent, cst.Call) and parent.func is node:
        yield from ("network", "run", "other")
    elif isinstance(parent, cst.Arg):
        yield from _argument(model, parent)
    elif isinstance(parent, (cst.Assign, cst.AnnAssign, cst.NamedExpr)):
        targets = [t.target for t in parent.targets] if isinstance(parent, cst.Assign) else [parent.target]
        for target in targets:
            yield from _bound(model, parent, target)
        if isinstance(parent, cst.NamedExpr):
            yield parent
    elif isinstance(parent, cst.CompFor) and parent.iter is node:
        yield from (above for above in model.ancestors(parent) if isinstance(above, _COMPREHENSIONS))
    elif isinstance(parent, cst.For) and parent.iter is node:
        yield from _looped(model, parent)
    elif isinstance(parent, (*_ELEMENTS, *_COMPREHENSIONS)):
        yield _literal(model, parent)
    elif isinstance(parent, cst.Return):
        yield from _callers(model, parent)
    elif isinstance(parent, cst.BinaryOperation):
        yield "kept"
    elif isinstance(parent, (cst.IfExp, cst.BooleanOperation)) and parent is not None:
        yield "plain" if isinstance(parent, cst.IfExp) and parent.test is node else parent
    elif isinstance(
        parent,
        (cst.Comparison, cst.ComparisonTarget, cst.If, cst.UnaryOperation, cst.Expr, cst.Del, cst.Assert),
    ):
        yield "plain"
    else:
        yield "other"


def _literal(model: ScriptModel, part: cst.CSTNode) -> str | cst.CSTNode:
    """The list, dictionary or tuple that a value is written into."""
    if isinstance(part, _COMPREHENSIONS):
        return part
    above = model.parent(part)
    return "other" if above is None or isinstance(model.parent(above), (cst.AssignTarget, cst.Del)) else above


def _entry(model: ScriptModel, node: cst.CSTNode, index: cst.CSTNode) -> Iterator[str | cst.CSTNode]:
    """`loaded[key]`: a plain number by its name, else what is to be followed."""
    key = index.value if isinstance(index, cst.Index) else index
    named = (
        isinstance(key, cst.SimpleString)
        and hints.PLAIN_ENTRY.match(str(key.evaluated_value))
        and not _is_filled_in(model, node)
    )
    yield "plain" if named or isinstance(model.parent(node), (cst.AssignTarget, cst.Del)) else node


def _is_filled_in(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a value is the argument by which something is filled: `opt.load_state_dict(loaded["opt"])`."""
    arg = model.parent(node)
    call = model.parent(arg) if isinstance(arg, cst.Arg) else None
    return isinstance(call, cst.Call) and last_name(call.func) in _FILLING


def _attribute(model: ScriptModel, node: cst.Attribute) -> Iterator[str | cst.CSTNode]:
    call = model.parent(node)
    name = node.attr.value
    if not isinstance(call, cst.Call) or call.func is not node:
        yield "other"
    elif name in _SAME_METHODS:
        yield call
    elif name in _OF_NETWORKS and not (name == "eval" and call.args):
        yield from ("network", call)
    elif name == "load_state_dict":
        yield from ("filled", "other")
    elif name in ("to", "cuda"):
        yield from ("moved", "other", call)
    elif name in _CASTS:
        yield from ("other", call)
    elif name in _ENTRY_METHODS and call.args:
        yield from _entry(model, call, call.args[0].value)
    else:
        yield "plain" if name in ("keys", "update") else "other"


def _argument(model: ScriptModel, arg: cst.Arg) -> Iterator[str | cst.CSTNode]:
    call = model.parent(arg)
    if not isinstance(call, cst.Call):
        yield "other"
        return
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else root_name(call.func)
    if name == "load_state_dict":
        yield "other" if "assign" in keywords(call) else "plain"
        yield _owner(model, call)
    elif name == "load_objects" or (name == "copy_" and _fills_entry(model, call)):
        # `Checkpoint.load_objects(to_load, checkpoint)` of ignite fills what it is given.
        yield "module"
    elif name in _PLAIN_CALLS:
        yield "plain"
    elif name in _SAME_CALLS:
        yield call
    elif name in _KEEPING:
        yield "kept"
    elif name == "update" and isinstance(call.func, cst.Attribute):
        # `own = net.state_dict(); own.update(loaded)`
        yield from _bound(model, call, call.func.value)
    else:
        own = [f for f in _functions_run(model, call) if model.owns(f)]
        for function in own:
            yield from _parameter(model, function, call, arg)
        if not own:
            yield "module" if _fills_network(model, call, arg, name) else "other"
            if hints.CLEANS_STATE_DICT.search(name):
                yield call


def _fills_network(model: ScriptModel, call: cst.Call, arg: cst.Arg, name: str) -> bool:
    """Whether code out of view gets a network beside the value, to load it: `load_checkpoint(net, state)`."""
    others = [a.value for a in call.args if a is not arg] if hints.LOADS_INTO_NETWORK.search(name) else []
    made = (s.node for o in others for s in value_sources(model, o) if s.kind == "value")
    objects = (n for n in made if isinstance(n, cst.Call) and naming.class_name(last_name(n.func)))
    return any(kind_of(model, o) == "module" for o in others) or any(objects)


def _functions_run(model: ScriptModel, call: cst.Call) -> Iterator[cst.FunctionDef]:
    """The functions that a call may run: the constructor for a class, and for `cls(...)` in its methods."""
    graph = call_graph(model)
    own = model.class_of(call) if dotted(call.func) == "cls" else None
    for found in (own,) if own is not None else graph.perhaps_run(call):
        function = graph.methods(found).get("__init__") if isinstance(found, cst.ClassDef) else found
        if function is not None:
            yield function


def _fills_entry(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a method writes into an entry of a network's state, `own_state[name].copy_(value)`, or into the
    data of a parameter, `net.weight.data.copy_(value)`."""
    func = call.func
    entry = func.value if isinstance(func, cst.Attribute) else None
    if isinstance(entry, cst.Attribute) and entry.attr.value == "data":
        return True
    return isinstance(entry, cst.Subscript) and any(
        calls_one(source.node, "state_dict", "named_parameters")
        for source in value_sources(model, entry.value)
    )


def _owner(model: ScriptModel, call: cst.Call) -> str:
    """What kind of object a `load_state_dict` fills."""
    kinds = {
        o.obj.kind
        for event in model.trace.calls.values()
        if event.node is call and event.owner is not None
        for o in options_of(event.owner)
        if isinstance(o, Ref)
    }
    assert isinstance(call.func, cst.Attribute)
    owner = call.func.value
    name = owner.attr.value if isinstance(owner, cst.Attribute) else root_name(owner)
    role = kind_of(model, owner)
    if kinds == {"module"} or role == "module":
        return "module"
    if kinds == {"optimizer"} or role == "optimizer":
        return "optimizer"
    return "state" if hints.STATEFUL_ENTRY.search(name) else "custom"


def _parameter(
    model: ScriptModel, function: cst.FunctionDef, call: cst.Call, arg: cst.Arg
) -> Iterator[str | cst.CSTNode]:
    """The uses, inside a function of the file, of what it is given for a parameter."""
    params = [p.name.value for p in (*function.params.params, *function.params.kwonly_params)]
    if params[:1] in (["self"], ["cls"]):
        params = params[1:]
    if arg.keyword is not None:
        name = arg.keyword.value
    else:
        position = list(call.args).index(arg)
        name = params[position] if position < len(params) else ""
    if name in params and not arg.star:
        yield from _reads(model, function.body, name)
    else:
        yield "other"


def _bound(
    model: ScriptModel, statement: cst.CSTNode, target: cst.BaseExpression
) -> Iterator[str | cst.CSTNode]:
    """The later uses of what a value is assigned to."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _bound(model, statement, element.value)
    elif isinstance(target, cst.Attribute):
        kept = place(target)
        everywhere = model.walk(model.class_of(statement) or model.module)
        attributes = [n for n in everywhere if type(n) is cst.Attribute and n is not target]
        reads = [node for node in attributes if kept and place(node) == kept]
        yield from (node for node in reads if not _comes_before(model, node, statement))
        if not reads or root_name(target) != "self":
            yield "kept"  # for whoever else has the object
    elif root_name(target):
        owner = model.function_of(statement)
        rank = model.positions
        for node in _reads(model, owner or model.module, root_name(target)):
            if rank[node] > rank[statement] or model.function_of(node) is not owner:
                yield node
    else:
        yield "other"


def _comes_before(model: ScriptModel, read: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether a read is in a constructor that has ended before another method runs the statement."""
    constructor, method = model.function_of(read), model.function_of(statement)
    if constructor is None or method is None or constructor is method:
        return False
    return constructor.name.value == "__init__" and not mentions(constructor, method.name.value)


def _reads(model: ScriptModel, scope: cst.CSTNode, name: str) -> Iterator[cst.CSTNode]:
    for node in model.walk(scope):
        if type(node) is cst.Name and node.value == name and _is_read(model, node):
            yield node


def _is_read(model: ScriptModel, node: cst.CSTNode) -> bool:
    parent = model.parent(node)
    if isinstance(parent, cst.Attribute):
        return parent.value is node
    if isinstance(parent, cst.Subscript):
        return not isinstance(model.parent(parent), (cst.AssignTarget, cst.Del))
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is node
    if isinstance(parent, (cst.Tuple, cst.List, cst.Element)):
        return _is_read(model, parent)
    return not isinstance(parent, (cst.AssignTarget, cst.Param, cst.NameItem))


def _looped(model: ScriptModel, loop: cst.For) -> Iterator[str | cst.CSTNode]:
    """`for key, value in loaded.items():` puts the values into something else, or looks at them."""
    names = model.names_in(loop.target)
    moved = False
    for node in model.walk(loop.body):
        if type(node) is cst.Assign and names & {
            n.value for n in model.walk(node.value) if type(n) is cst.Name
        }:
            for target in node.targets:
                moved = True
                yield from _bound(model, node, target.target)
    read = [n for name in names for n in _reads(model, loop.body, name)]
    filling = [n for n in read if _is_filled_in(model, n) or _is_entry_by_name(model, n)]
    yield from filling
    if not (moved or filling):
        yield "plain"


def _is_entry_by_name(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether one of several loaded values is asked for an entry: `state["model"]`."""
    above = model.parent(node)
    index = above.slice[0].slice if isinstance(above, cst.Subscript) and above.value is node else None
    return isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)


def _callers(model: ScriptModel, node: cst.Return) -> Iterator[str | cst.CSTNode]:
    """The calls in the file of the function that returns a value."""
    function = model.function_of(node)
    calls = call_graph(model).sites(function, perhaps=True) if function is not None else []
    yield from [call for call in calls if model.owns(call)] or ("other",)
