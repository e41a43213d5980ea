"""MTF110: a tf.function is traced anew for each Python value, or made anew in each pass of a loop."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, Loop, concerns, flow_of
from memlint.catalogue import Rule
from memlint.detect.tensorflow.pipelines import tf_name
from memlint.detect.tensorflow.repeats import assigned_in, changed_in, is_short
from memlint.finding import Applicability
from memlint.syntax.arguments import argument, argument_for, parameters
from memlint.syntax.tree import dotted

_RELAXED = frozenset({"input_signature", "reduce_retracing", "experimental_relax_shapes"})
_NUMBERS = frozenset({"int", "float", "str", "bool", "round"})
_CONVERTERS = frozenset({"int", "float", "str"})
_ARITHMETIC = frozenset({"min", "max", "abs", "pow"})
_COUNTERS = frozenset({"range", "trange"})
_RATE = re.compile(r"decay|rate|step|delta|anneal|gamma|incr", re.IGNORECASE)
_EPOCH = re.compile(r"epoch|^ep$", re.IGNORECASE)
_BOUNDS = frozenset({"max", "min", "float", "int", "round"})
_HEADER = "each pass of this loop brings another value"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of traced functions with numbers of a loop, and traced functions that are made in a loop."""
    if not concerns(model):
        return
    flow = flow_of(model)
    seen: set[cst.CSTNode] = set()
    for match in (*_varying(flow), *_created(flow)):
        if match.node not in seen and not never_runs(model, match.node):
            seen.add(match.node)
            yield match


# --- traced functions -----------------------------------------------------------------------------------


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


def _target(flow: Flow, call: cst.Call) -> cst.FunctionDef | None:
    """The traced function that a call runs, by its decorator or through `step = tf.function(step)`."""
    for callee in (*flow.callees(call), *_called_object(flow, call)):
        if isinstance(callee, cst.FunctionDef) and _traced(flow, callee):
            return callee
    if not dotted(call.func) or flow.api(call.func):
        return None
    if isinstance(call.func, cst.Attribute) and _is_given(flow, call.func.value):
        return _only_method(flow, call, call.func.attr.value)
    for source in flow.sources(call.func):
        if isinstance(source, cst.Call) and flow.api(source.func) == "tf.function" and not _relaxed(source):
            given = argument(source, 0, "func")
            found = [d.node for d in flow.definitions(given)] if given is not None else []
            return next((f for f in found if isinstance(f, cst.FunctionDef)), None)
    return None


def _called_object(flow: Flow, call: cst.Call) -> Iterator[cst.FunctionDef]:
    """What runs when the object itself is called: `step(x, i)` where the class of `step` has a `__call__`."""
    for owner in flow.classes(call.func):
        members = flow.methods(owner)
        yield from (members[name] for name in ("__call__", "call") if name in members)


def _is_given(flow: Flow, owner: cst.BaseExpression) -> bool:
    """Whether nothing in the file tells what an object is: a parameter, or an attribute that holds one."""
    sources = flow.sources(owner)
    plain = all(isinstance(s, (cst.Name, cst.Attribute)) and not flow.api(s) for s in sources)
    return bool(sources) and plain and dotted(owner) not in ("", "self", "cls")


def _only_method(flow: Flow, call: cst.Call, name: str) -> cst.FunctionDef | None:
    """The traced method that a call on an unknown object fits, by its name and its parameters."""
    found = [n for n in flow.model.names.every(cst.FunctionDef) if n.name.value == name]
    if len(found) != 1 or flow.model.class_of(found[0]) is None or not _traced(flow, found[0]):
        return None
    wanted = parameters(found[0])
    fits = wanted[:1] == ["self"] and len(wanted) > 2 and len(call.args) == len(wanted) - 1
    return found[0] if fits else None


# --- values of a loop -----------------------------------------------------------------------------------


def _varying(flow: Flow) -> Iterator[Match]:
    for call in flow.model.names.calls:
        function = _target(flow, call)
        if function is None or _inside_traced(flow, call):
            continue
        for name in parameters(function):
            given = argument_for(call, function, name)
            loop = _loop_of(flow, given, call) if given is not None else None
            if given is None or loop is None:
                continue
            values = {
                "function": function.name.value,
                "argument": flow.model.short(given, 30),
                "parameter": name,
            }
            header = loop.test if isinstance(loop, cst.While) else loop.iter
            plan = _plan(flow, given)
            yield Match(given, values, labels=(Label(_HEADER, header),), plans=(plan,) if plan else ())


def _inside_traced(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a call is part of another traced function, which is traced as a whole."""
    function = flow.model.function_of(node)
    return function is not None and any(
        flow.api(d.decorator.func if isinstance(d.decorator, cst.Call) else d.decorator) == "tf.function"
        for d in function.decorators
    )


def _loop_of(flow: Flow, given: cst.BaseExpression, call: cst.Call) -> Loop | None:
    """The loop that gives a Python number which an argument is, or is made from."""
    loops = [loop for run in flow.runs(call) for loop in run]
    return _number_of(flow, given, loops, 6)


def _number_of(flow: Flow, node: cst.CSTNode, loops: list[Loop], depth: int) -> Loop | None:
    if not depth:
        return None
    if isinstance(node, cst.BinaryOperation):
        return _number_of(flow, node.left, loops, depth - 1) or _number_of(flow, node.right, loops, depth - 1)
    if isinstance(node, cst.FormattedString):
        parts = (p.expression for p in node.parts if isinstance(p, cst.FormattedStringExpression))
        return next((f for p in parts if (f := _number_of(flow, p, loops, depth - 1))), None)
    if isinstance(node, cst.Call):
        name, given = dotted(node.func), [a.value for a in node.args]
        if name in _NUMBERS and len(given) == 1:
            found = _number_of(flow, given[0], loops, depth - 1)
            return found or (_loop_that_gives(flow, given[0]) if name in _CONVERTERS else None)
        if name in _ARITHMETIC or name.startswith("math."):
            return next((f for g in given if (f := _number_of(flow, g, loops, depth - 1))), None)
        return None
    if isinstance(node, (cst.Name, cst.Attribute)) and not flow.api(node):
        return _counter(flow, node, loops, depth)
    return None


def _loop_that_gives(flow: Flow, node: cst.CSTNode) -> Loop | None:
    """The loop whose variable is turned into a Python number: `float(s)` of `for s in rates`."""
    for d in flow.definitions(node):
        loop = flow.model.parent(d.node) if d.kind in ("each", "each item") else None
        if isinstance(loop, (cst.For, cst.CompFor)) and not is_short(flow, loop):
            return loop
    return None


def _counter(flow: Flow, node: cst.BaseExpression, loops: list[Loop], depth: int) -> Loop | None:
    """The loop whose counter a name is, by its header or by `step += 1`."""
    for d in flow.definitions(node):
        if d.kind in ("each", "each item"):
            loop = flow.model.parent(d.node)
            if (
                isinstance(loop, (cst.For, cst.CompFor))
                and _counts(flow, d.node, d.index)
                and not is_short(flow, loop)
            ):
                return loop
        elif d.kind == "updated" and isinstance(d.node, cst.AugAssign):
            around = [x for x in flow.loops(d.node) if x in loops]
            if around and (isinstance(d.node.value, cst.Integer) or _is_updated_number(flow, d.node)):
                return around[-1]
        elif d.kind == "value" and d.node is not node:
            found = _recurrence(flow, node, d.node, loops) or _number_of(flow, d.node, loops, depth - 1)
            if found is not None:
                return found
        elif d.kind == "param" and isinstance(d.node, cst.FunctionDef):
            for given in flow.arguments(d.node, dotted(node)):
                found = _number_of(flow, given, loops, depth - 1)
                if found is not None:
                    return found
    return None


def _recurrence(flow: Flow, name: cst.BaseExpression, value: cst.CSTNode, loops: list[Loop]) -> Loop | None:
    """The loop in which `eps = max(low, eps * decay)` or `beta = beta + rate` changes a Python number."""
    if isinstance(value, cst.Call) and dotted(value.func) not in _BOUNDS:
        return None
    if not isinstance(value, (cst.Call, cst.BinaryOperation)):
        return None
    around = [x for x in flow.loops(value) if x in loops]
    parts = flow.model.walk(value)
    words = [n for n in parts if dotted(n) and type(flow.model.parent(n)) is not cst.Attribute]
    reads = [n for n in words if dotted(n) == dotted(name)]
    if not around or not reads or not _starts_as_number(flow, reads[0]):
        return None
    others = [w for w in words if dotted(w) not in (dotted(name), *_BOUNDS)]
    return around[-1] if all(_RATE.search(dotted(w)) or _starts_as_number(flow, w) for w in others) else None


def _is_updated_number(flow: Flow, update: cst.AugAssign) -> bool:
    """Whether `eps *= decay` multiplies a number by one: by its literal, or by its name."""
    rates = flow.sources(update.value)
    plain = all(isinstance(r, (cst.Integer, cst.Float)) or _RATE.search(dotted(r)) for r in rates)
    return plain and _starts_as_number(flow, update.target)


def _starts_as_number(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether what a name may hold before its update is a number that the file writes."""
    values = [d.node for d in flow.definitions(node) if d.kind == "value"]
    return any(isinstance(s, (cst.Integer, cst.Float)) for v in values for s in flow.sources(v))


def _counts(flow: Flow, iterated: cst.CSTNode, index: int) -> bool:
    """Whether a loop's variable is a Python number: of `range`, or the first of `enumerate`."""
    if not isinstance(iterated, cst.Call):
        return False
    name = dotted(iterated.func).rpartition(".")[2]
    if flow.api(iterated.func).startswith("tf."):
        return False
    if name in _COUNTERS:
        return index < 0
    if name == "enumerate":
        return index == 0
    if name in ("tqdm", "reversed", "track", "list") and iterated.args:
        return _counts(flow, iterated.args[0].value, index)
    return False


def _plan(flow: Flow, given: cst.BaseExpression) -> Plan | None:
    name = tf_name(flow.model, given)
    if not name or isinstance(given, cst.FormattedString):
        return None
    code = f"{name}.constant({flow.model.code(given)})"
    caution = (
        "in the function the argument is then a tensor: Python's `if` and `range` on it change their meaning"
    )
    return Plan(Applicability.UNSAFE, f"pass `{code}`", (Replace(given, code),), caution)


# --- functions made in a loop -----------------------------------------------------------------------------


def _created(flow: Flow) -> Iterator[Match]:
    for call in flow.calls_of("tf.function"):
        if isinstance(flow.model.parent(call), cst.Decorator):
            continue
        yield from _in_loop(flow, call, flow.model.short(call, 30))
    for node in flow.model.names.every(cst.FunctionDef):
        if any(_is_tf_function(flow, d.decorator) for d in node.decorators):
            yield from _in_loop(flow, node, node.name.value)


def _is_tf_function(flow: Flow, node: cst.BaseExpression) -> bool:
    return flow.api(node.func if isinstance(node, cst.Call) else node) == "tf.function"


def _in_loop(flow: Flow, node: cst.CSTNode, name: str) -> Iterator[Match]:
    loops = flow.loops(node)
    loop = loops[-1] if loops else None
    if not isinstance(loop, (cst.For, cst.While)) or is_short(flow, loop):
        return
    if _serves_inner(flow, node, loops) and not _is_always_the_same(flow, node, loop):
        return
    header = loop.test if isinstance(loop, cst.While) else loop.iter
    shown = node.name if isinstance(node, cst.FunctionDef) else node
    yield Match(shown, {"function": name}, "created", (Label("made anew in each pass", header),))


def _is_always_the_same(flow: Flow, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether a loop over epochs defines a function that uses nothing which the loop sets."""
    if not isinstance(node, cst.FunctionDef) or not isinstance(loop, cst.For):
        return False
    if not _EPOCH.search(flow.model.code(loop.target)) or not _counts(flow, loop.iter, -1):
        return False
    used = flow.model.names_in(node.body)
    free = used - {node.name.value, *parameters(node), *assigned_in(flow, node.body)}
    return not free & changed_in(flow, loop)


def _serves_inner(flow: Flow, node: cst.CSTNode, loops: tuple[Loop, ...]) -> bool:
    """Whether one made function is used many times: a loop within the pass calls it, or it is put away."""
    name = node.name.value if isinstance(node, cst.FunctionDef) else ""
    parent = flow.model.parent(node)
    if isinstance(parent, cst.Assign):
        name = dotted(parent.targets[0].target)
    elif isinstance(parent, cst.Arg) or (not name and not isinstance(parent, cst.Call)):
        return True
    if not name:
        return not isinstance(parent, cst.Call)
    uses = [
        n for n in flow.model.walk(loops[-1]) if type(n) in (cst.Name, cst.Attribute) and dotted(n) == name
    ]
    calls = [u for u in uses if isinstance(above := flow.model.parent(u), cst.Call) and above.func is u]
    others = [u for u in uses if u not in calls and not isinstance(flow.model.parent(u), cst.AssignTarget)]
    stored = [u for u in others if not isinstance(flow.model.parent(u), cst.FunctionDef)]
    return not calls or bool(stored) or any(len(flow.loops(c)) > len(loops) for c in calls)
