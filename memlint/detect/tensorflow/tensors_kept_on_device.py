"""MTF112: tensors of every step stay on the device, in a list, by concatenation or on a persistent tape."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import InsertAfter, Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, Loop, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    batch_hook,
    is_layer_class,
    method_calls,
    method_calls_abroad,
    model_kind,
)
from memlint.catalogue import Rule
from memlint.detect.tensorflow.repeats import bound_by, is_short
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted, header_of, statements

_TAPE = ("tf.GradientTape",)
_INPUTS = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")
_SCALARS = ("reduce_mean", "reduce_sum", "reduce_max", "reduce_min", "norm")
_ONE_NUMBER = re.compile(r"loss|acc|metric|score|reward|value|cost|error|kl|nll|entropy|prob", re.IGNORECASE)
_CAUTION = "the list then holds NumPy arrays in host RAM; later tensor operations have to convert them"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Appends of model outputs, growth by concat, and persistent tapes that are not deleted."""
    if not concerns(model):
        return
    flow = flow_of(model)
    for match in (*_appends(flow), *_concats(flow), *_tapes(flow)):
        if not never_runs(model, match.node):
            yield match


# --- lists ----------------------------------------------------------------------------------------------


def _appends(flow: Flow) -> Iterator[Match]:
    for call, owner in (*method_calls(flow, "append"), *method_calls_abroad(flow, "append")):
        if len(call.args) != 1 or _in_graph(flow, call):
            continue
        value = call.args[0].value
        loop, hook = _item_loop(flow, call, owner), batch_hook(flow, call)
        output = _output_of(flow, value, 4) if loop is not None or hook is not None else None
        if output is None or _is_symbolic(flow, output, 4):
            continue
        if loop is not None and bound_by(flow, output, loop):
            label = Label("once per pass of this loop", header_of(loop))
        elif hook is not None and dotted(owner).startswith("self."):
            label = Label("called for every batch", hook.name)
        else:
            continue
        plan = Plan(
            Applicability.UNSAFE,
            "add `.numpy()`",
            (Replace(value, with_method(flow.model, value, "numpy()")),),
            _CAUTION,
        )
        values = {"list": flow.model.short(owner, 30), "value": flow.model.short(value, 30)}
        plans = (plan,) if isinstance(value, (cst.Name, cst.Call, cst.Attribute)) else ()
        yield Match(call, values, labels=(label,), plans=plans)


def _item_loop(flow: Flow, call: cst.Call, owner: cst.BaseExpression) -> Loop | None:
    """The loop in which a list grows: it is made before it."""
    for loop in reversed(flow.loops(call)):
        if is_short(flow, loop):
            continue
        made = [d.node for d in flow.definitions(owner) if d.kind == "value"]
        if not any(loop in flow.loops(node) for node in made):
            return loop
    return None


def _in_graph(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a node is part of a layer, of a traced function or of what a tape records."""
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.With) and any(
            "GradientTape" in flow.model.code(i.item) for i in above.items
        ):
            return True
        if isinstance(above, cst.FunctionDef) and any(
            "function" in flow.model.code(d.decorator) for d in above.decorators
        ):
            return True
        if isinstance(above, cst.ClassDef):
            return is_layer_class(flow, above)
    return False


def _output_of(flow: Flow, node: cst.CSTNode, depth: int) -> cst.CSTNode | None:
    """The call of a model whose output, or a tensor of about its size, a value is."""
    for source in flow.sources(node) if depth else ():
        if isinstance(source, cst.Subscript):
            found = _output_of(flow, source.value, depth - 1)
        elif isinstance(source, cst.Call):
            api = flow.api(source.func)
            if api.startswith("tf.") and source.args and not api.endswith(_SCALARS):
                found = _output_of(flow, source.args[0].value, depth - 1)
            elif not api and dotted(source.func) and source.args:
                called = "" if flow.callees(source) else model_kind(flow, source.func)
                found = source if called == "yes" or (called == "maybe" and _has_training(source)) else None
            else:
                found = None
        else:
            found = next(
                filter(None, (_output_of(flow, d, depth - 1) for d in _first_of(flow, source))), None
            )
        if found is not None:
            return found
    return None


def _first_of(flow: Flow, name: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What gives its first member to a name: `logits, state = decoder(x)`, but not `loss, logits = ...`."""
    if isinstance(name, cst.Name) and not _ONE_NUMBER.search(name.value):
        yield from (d.node for d in flow.definitions(name) if d.kind == "item" and d.index == 0)


def _is_symbolic(flow: Flow, output: cst.CSTNode, depth: int) -> bool:
    """Whether a model or layer is called on a `keras.Input`, which is a piece of a model in the making."""
    if not isinstance(output, cst.Call) or depth == 0:
        return False
    if flow.api(output.func) in _INPUTS:
        return True
    given = [s for a in output.args[:1] for s in flow.sources(a.value)]
    return any(_is_symbolic(flow, source, depth - 1) for source in given)


def _has_training(call: cst.Call) -> bool:
    return any(a.keyword is not None and a.keyword.value == "training" for a in call.args)


# --- concat ---------------------------------------------------------------------------------------------


def _concats(flow: Flow) -> Iterator[Match]:
    """`acc = tf.concat([acc, y], 0)` in a loop: each pass copies everything so far."""
    for call in flow.calls_of("tf.concat", "tf.experimental.numpy.concatenate"):
        choice = flow.model.parent(call)
        whole = choice if isinstance(choice, cst.IfExp) else call
        parent, given = flow.model.parent(whole), argument(call, 0, "values")
        if not isinstance(parent, cst.Assign) or not isinstance(given, (cst.List, cst.Tuple)):
            continue
        name = dotted(parent.targets[0].target)
        loops = [loop for loop in flow.loops(call) if not is_short(flow, loop)]
        grows = bool(name) and any(dotted(e.value) == name for e in given.elements[:1])
        axis = argument(call, 1, "axis")
        side_by_side = axis is not None and flow.model.code(axis) == "-1"
        if not grows or not loops or side_by_side or _in_graph(flow, call):
            continue
        starts = [d.node for d in flow.definitions(given.elements[0].value) if d.node is not whole]
        if any(loops[-1] in flow.loops(node) for node in starts) or _feeds(flow, loops[-1], call, name):
            continue
        if any(_comes_back(flow, loops[-1], e.value) for e in given.elements[1:]):
            continue
        yield Match(
            call, {"name": name}, "concat", (Label("once per pass of this loop", header_of(loops[-1])),)
        )


def _feeds(flow: Flow, loop: Loop, call: cst.Call, name: str) -> bool:
    """Whether a call in each pass takes all that there is so far: a sequence that a model goes on with."""
    inside = {*flow.model.walk(call)}
    others = (c for c in flow.model.walk(loop) if type(c) is cst.Call and c not in inside)
    return any(dotted(a.value) == name for c in others for a in c.args if not _is_look(c))


def _comes_back(flow: Flow, loop: Loop, added: cst.BaseExpression) -> bool:
    """Whether the next pass begins with what this one adds: tokens that a decoder goes on with."""
    name, positions = dotted(added), flow.model.positions
    if not isinstance(added, cst.Name):
        return False
    ends = {d.node for d in flow.definitions(added)}
    calls = (c for c in flow.model.walk(loop) if type(c) is cst.Call and c not in ends)
    given = [a.value for c in calls for a in c.args if dotted(a.value) == name and not _is_look(c)]
    return any(
        d.node in ends and positions[d.node] > positions[g] for g in given for d in flow.definitions(g)
    )


def _is_look(call: cst.Call) -> bool:
    return dotted(call.func) in ("len", "print", "tf.shape", "tf.print")


# --- tapes ----------------------------------------------------------------------------------------------


def _tapes(flow: Flow) -> Iterator[Match]:
    """Persistent tapes in a loop, or on self, that nothing deletes."""
    for call in flow.calls_of(*_TAPE):
        item = flow.model.parent(call)
        if dotted(argument(call, 0, "persistent") or cst.Name("_")) != "True":
            continue
        name, block = _tape_name(flow, item)
        loops = flow.loops(call)
        if not name or _is_deleted(flow, name) or not (loops or name.startswith("self.")):
            continue
        if _in_traced(flow, call):
            continue
        plan = _del_plan(flow, name, block) if block is not None and "." not in name else None
        values = {"tape": name}
        yield Match(call, values, "tape", plans=(plan,) if plan else ())


def _tape_name(flow: Flow, item: cst.CSTNode | None) -> tuple[str, cst.With | None]:
    if isinstance(item, cst.WithItem) and item.asname is not None:
        block = flow.model.parent(item)
        return dotted(item.asname.name), block if isinstance(block, cst.With) else None
    return (dotted(item.targets[0].target), None) if isinstance(item, cst.Assign) else ("", None)


def _is_deleted(flow: Flow, name: str) -> bool:
    text = flow.model.text
    return any(f"{word}" in text for word in (f"del {name}", f"{name} = None", f"del({name}", f", {name}\n"))


def _in_traced(flow: Flow, node: cst.CSTNode) -> bool:
    function = flow.model.function_of(node)
    return function is not None and any(
        "function" in flow.model.code(d.decorator) for d in function.decorators
    )


def _del_plan(flow: Flow, name: str, block: cst.With) -> Plan | None:
    """Delete the tape behind the last statement of the block that uses it."""
    suite = flow.model.parent(block)
    siblings = statements(suite) if suite is not None else ()
    uses = [s for s in siblings if any(type(n) is cst.Name and n.value == name for n in flow.model.walk(s))]
    elsewhere = [n for n in flow.model.names.every(cst.Name) if n.value == name]
    inside = [n for s in uses for n in flow.model.walk(s) if type(n) is cst.Name and n.value == name]
    if not uses or uses[-1] is block or len(inside) != len(elsewhere):
        return None
    last = uses[-1]
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return None
    return Plan(Applicability.SAFE, f"add `del {name}`", (InsertAfter(last, f"del {name}"),))
