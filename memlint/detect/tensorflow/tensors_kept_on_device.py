"""MTF112: tensors of every step stay on the device, in a list, by concatenation or on a persistent tape."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    batch_hook,
    cross_module_method_calls,
    is_layer_class,
    method_calls,
)
from memlint.analysis.tensorflow.repeats import bound_by, is_short
from memlint.analysis.tensorflow.traced_functions import becomes_graph
from memlint.analysis.training.containers import without_entry
from memlint.catalogue import Rule
from memlint.detect.tensorflow.growing_sequences import comes_back, feeds_a_call, widens_an_argument
from memlint.detect.tensorflow.kept_elements import made_by, reason_to_keep_tensors
from memlint.detect.tensorflow.kept_gradients import kept_gradients
from memlint.detect.tensorflow.model_outputs import is_symbolic, output_of
from memlint.detect.tensorflow.persistent_tapes import is_tape, tapes
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted, header_of

_CAUTION = "the list then holds NumPy arrays in host RAM; later tensor operations have to convert them"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Appends of model outputs and gradients, growth by concat, and persistent tapes that are not deleted."""
    if not concerns(model):
        return
    flow = flow_of(model)
    for match in (*_appends(flow), *_concats(flow), *kept_gradients(flow), *tapes(flow)):
        if not never_runs(model, match.node):
            yield match


def _appends(flow: Flow) -> Iterator[Match]:
    """Outputs of a model that a loop, or a callback for each batch, appends to a list as tensors."""
    for call, owner in (*method_calls(flow, "append"), *cross_module_method_calls(flow, "append")):
        if len(call.args) != 1 or _in_graph(flow, call):
            continue
        value = call.args[0].value
        loops, hook = _item_loops(flow, call, owner), batch_hook(flow, call)
        output = output_of(flow, value, 4) if loops or hook is not None else None
        bound = made_by(flow, call, value, output) if output is not None else None
        if output is None or bound is None or is_symbolic(flow, output, 6):
            continue
        loop = next((loop for loop in loops if bound_by(flow, bound, loop)), None)
        if loop is not None:
            label = Label("once per pass of this loop", header_of(loop))
        elif hook is not None and dotted(owner).startswith("self."):
            label = Label("called for every batch", hook.name)
        else:
            continue
        change = Replace(value, with_method(flow.model, value, "numpy()"))
        plan = Plan(Applicability.UNSAFE, "add `.numpy()`", (change,), _CAUTION)
        values = {"list": flow.model.short(owner, 30), "value": flow.model.short(value, 30)}
        reason = reason_to_keep_tensors(flow, owner, value)
        plans = (plan,) if isinstance(value, (cst.Name, cst.Call, cst.Attribute)) and not reason else ()
        causes = ((loop if loop is not None else call,),)
        yield Match(call, values, labels=(label,), plans=plans, no_fix=reason, causes=causes)


def _item_loops(flow: Flow, call: cst.Call, owner: cst.BaseExpression) -> list[LoopNode]:
    """The loops in which a list grows, innermost first: it, or its dictionary, is made before."""
    made = [d.node for d in flow.definitions(without_entry(owner)) if d.kind == "value"]
    longer = [loop for loop in reversed(flow.loops(call)) if not is_short(flow, loop)]
    return [loop for loop in longer if not any(loop in flow.loops(node) for node in made)]


def _in_graph(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a node is part of a layer, of a traced function or of what a tape records."""
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.With) and any(is_tape(flow, i.item) for i in above.items):
            return True
        if isinstance(above, cst.FunctionDef) and becomes_graph(flow, above):
            return True
        if isinstance(above, cst.ClassDef):
            return is_layer_class(flow, above)
    return False


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
        side_by_side = literal(argument(call, 1, "axis") or call) == -1
        if not grows or not loops or side_by_side or _in_graph(flow, call):
            continue
        starts = [d.node for d in flow.definitions(given.elements[0].value) if d.node is not whole]
        if any(loops[-1] in flow.loops(node) for node in starts) or feeds_a_call(flow, loops[-1], call, name):
            continue
        back = any(comes_back(flow, loops[-1], e.value) for e in given.elements[1:])
        if back or widens_an_argument(flow, loops[-1], starts):
            continue
        labels = (Label("once per pass of this loop", header_of(loops[-1])),)
        yield Match(call, {"name": name}, "concat", labels, causes=((loops[-1],),))
