"""Functions that tf.function traces, and the calls that run them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.arguments import argument, parameters
from memlint.syntax.tree import dotted

_RELAXED = frozenset({"input_signature", "reduce_retracing", "experimental_relax_shapes"})


def _traced(flow: Flow, function: cst.FunctionDef) -> bool:
    """Whether a function is decorated with tf.function, with nothing that widens its signature."""
    for decorator in function.decorators:
        node = decorator.decorator
        if isinstance(node, cst.Call):
            if flow.api(node.func) == "tf.function":
                return not _relaxed(node)
        elif flow.api(node) == "tf.function":
            return True
    return False


def _relaxed(call: cst.Call) -> bool:
    return any(a.star == "**" or (a.keyword is not None and a.keyword.value in _RELAXED) for a in call.args)


def traced_target(flow: Flow, call: cst.Call) -> cst.FunctionDef | None:
    """The traced function that a call runs, by its decorator or through `step = tf.function(step)`."""
    for callee in (*flow.graph.callees(call), *_called_object(flow, call)):
        if isinstance(callee, cst.FunctionDef) and _traced(flow, callee):
            return callee
    if not dotted(call.func) or flow.api(call.func):
        return None
    if isinstance(call.func, cst.Attribute) and _is_given(flow, call.func.value):
        return _only_method(flow, call)
    for source in flow.sources(call.func):
        if isinstance(source, cst.Call) and flow.api(source.func) == "tf.function" and not _relaxed(source):
            given = argument(source, 0, "func")
            found = definitions_meant(flow.model, given) if given is not None else ()
            return next((f for f in found if isinstance(f, cst.FunctionDef)), None)
    return None


def _called_object(flow: Flow, call: cst.Call) -> Iterator[cst.FunctionDef]:
    """What runs when the object itself is called: `step(x, i)` where the class of `step` has a `__call__`."""
    for owner in flow.graph.classes(call.func):
        members = flow.graph.methods(owner)
        yield from (members[name] for name in ("__call__", "call") if name in members)


def _is_given(flow: Flow, owner: cst.BaseExpression) -> bool:
    """Whether nothing in the file tells what an object is: a parameter, or an attribute that holds one."""
    sources = flow.sources(owner)
    plain = all(isinstance(s, (cst.Name, cst.Attribute)) and not flow.api(s) for s in sources)
    return bool(sources) and plain and dotted(owner) not in ("", "self", "cls")


def _only_method(flow: Flow, call: cst.Call) -> cst.FunctionDef | None:
    """The traced method that a call on an unknown object fits, by its name and its parameters."""
    found = flow.graph.perhaps_run(call)
    only = found[0] if len(found) == 1 else None
    if not isinstance(only, cst.FunctionDef) or not _traced(flow, only):
        return None
    wanted = parameters(only)
    fits = wanted[:1] == ["self"] and len(wanted) > 2 and len(call.args) == len(wanted) - 1
    return only if fits else None


_MAPPING = frozenset({"map", "flat_map", "interleave", "filter"})


def inside_traced(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a call is part of another traced function, which is traced as a whole."""
    function = flow.model.function_of(node)
    return function is not None and (becomes_graph(flow, function) or _is_mapped(flow, function))


def _is_mapped(flow: Flow, function: cst.FunctionDef) -> bool:
    """Whether only functions given to `Dataset.map` call a function: it is then traced with them, once."""
    name = function.name.value
    uses = [n for n in flow.model.names.every(cst.Name) if n.value == name and n is not function.name]
    return bool(uses) and all(_in_map(flow, use) for use in uses)


def _in_map(flow: Flow, use: cst.CSTNode) -> bool:
    """Whether a name stands in an argument of `dataset.map(...)`."""
    above = (a for a in flow.model.ancestors(use) if isinstance(a, cst.Call))
    return any(
        isinstance(c.func, cst.Attribute) and c.func.attr.value in _MAPPING and not flow.api(c.func)
        for c in above
    )


def becomes_graph(flow: Flow, function: cst.FunctionDef) -> bool:
    """Whether tf.function decorates a function, whatever its arguments."""
    return any(is_tf_function(flow, d.decorator) for d in function.decorators)


def is_tf_function(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether an expression is `tf.function`, or a call of it."""
    return flow.api(node.func if isinstance(node, cst.Call) else node) == "tf.function"
