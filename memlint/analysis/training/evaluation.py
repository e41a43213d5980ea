"""Where evaluation builds autograd graphs that nothing will ever run backward through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge.unbound import OTHER_FRAMEWORKS
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import comes_by_method, why_forward, works_on_itself
from memlint.analysis.training.graphs import (
    gets_out,
    gives_derivatives,
    is_wasted,
    may_give_forces,
    wants_input_gradients,
)
from memlint.analysis.training.loops import acts, evaluates, in_forward, over_batches, over_loader
from memlint.analysis.training.modes.after_training import answers_requests, predicts, tests_at_once
from memlint.analysis.training.modes.evaluation_calls import (
    beside_training,
    calls_eval,
    calls_eval_before,
    frames_inside,
    steps_elsewhere,
    trains,
)
from memlint.analysis.training.modes.frozen_parameters import is_frozen
from memlint.analysis.training.modes.handed_up import handed_up, is_returned, is_taken_by_hooks
from memlint.analysis.training.modes.inference_scripts import is_inference
from memlint.analysis.training.modes.managed import is_managed
from memlint.analysis.training.modes.unseen_callers import (
    gives_tensors,
    is_gathered_on_host,
    is_handed_on,
    is_of_a_library,
    is_run_by_forward,
    is_up_to_callers,
    yields_to_callers,
)
from memlint.analysis.training.modes.wanted_graphs import differentiates_itself, is_wanted
from memlint.analysis.training.tests_in_code import in_unit_test, is_demonstrated, is_tried_out
from memlint.analysis.uses.beside_training import How, displayed
from memlint.analysis.uses.shown_values import (
    ends_of,
    graph_is_cut,
    is_detached_and_looked_at,
    only_demanded,
    only_looked_at,
    only_measured,
)
from memlint.analysis.uses.value_uses import goes_nowhere
from memlint.analysis.values import Class, ClassInfo, Frame, Ref, Tensor, options_of
from memlint.records import dataclass
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import called_on, calls_in, literal, same
from memlint.syntax.tree import dotted, last_name

_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
"""Modules that are never called: an object of these stands for what is in it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A forward pass of an evaluation outside no_grad.

    `strong` tells evaluation proper (a validation loop, `model.eval()` before it, a name that says so)
    from inference scripts; `loop` is None when the forward is not in a loop over batches. `site` is the
    expression in the function that runs the loop: the forward itself, or the call that leads to it. `passes`
    are all forward passes of the evaluation, of which `forward` is the first.
    `display` says how often a forward runs that stands beside training and is only looked at; "" for all
    others. `named` tells that only a name says that a network is run, and that this is evaluation.
    """

    forward: Forward
    site: cst.CSTNode
    loop: Loop | None
    frame: Frame
    word: str
    strong: bool
    display: How = ""
    named: bool = False
    passes: tuple[Forward, ...] = ()


@cached
def recorded(model: ScriptModel) -> list[Recorded]:
    """The first recording forward of every evaluation, at most one for each loop or function."""
    return [] if _manages_evaluation(model) else list(_recorded(model))


def passes_of_function(model: ScriptModel, found: Recorded) -> tuple[Forward, ...]:
    """The forward passes whose graphs a `no_grad` for a finding ends: its own, and those of the others in its
    function where that does nothing but evaluate. None where the same line also trains, `for phase in
    phases`: what keeps its graphs keeps those of training as well."""
    lines = {id(passed.node) for passed in found.passes}
    if any(id(f.node) in lines and not is_wasted(model, f) for f in model.trace.passes() if f.grad == "on"):
        return ()
    function = model.function_of(found.site)
    same = [r for r in recorded(model) if function is not None and model.function_of(r.site) is function]
    nodes = {id(node) for b in model.trace.backwards.values() for node in active_nodes(b).values()}
    trained = function is None or any(id(node) in nodes for node in model.walk(function))
    alone = found.display or trained or len(same) == 1
    return found.passes if alone else tuple(p for r in same if not r.display for p in r.passes)


def explained_at(model: ScriptModel, found: Recorded) -> Iterator[tuple[str, cst.CSTNode]]:
    """What explains a finding, and where: the forward pass that a call leads to, or the call of a function
    that trains with other arguments, `run_epoch(net, loader, optimizer=None)`."""
    if found.site is not found.forward.node:
        yield "the forward pass that it runs", found.forward.node
        return
    call = found.frame.call
    trained = any(b.frame.node is found.frame.node for b in model.trace.backwards.values())
    if trained and call is not None and model.owns(call):
        yield "with this call nothing runs backward()", call


def _recorded(model: ScriptModel) -> Iterator[Recorded]:
    trace = model.trace
    by_place: dict[int, Recorded] = {}
    passes: dict[int, list[Forward]] = {}
    sheltered = protected(model)
    for forward in trace.passes():
        if _is_of_a_metric(forward) or _prepares(model, forward) or _is_of_another_engine(model, forward):
            continue
        if _leaves_lines_out(model, forward):
            continue
        found = _evaluation(model, forward) or _for_display(model, forward) or _at_once(model, forward)
        if found is None or _computes_derivatives(model, forward) or is_wanted(model, forward):
            continue
        if sheltered & _keys(model, found) and not _is_called_without(model, found):
            continue
        place = id(_place(model, found))
        passes.setdefault(place, []).append(forward)
        known = by_place.get(place)
        if known is None or _position(model, found) < _position(model, known):
            by_place[place] = found
    for place, found in by_place.items():
        strong = found.strong and not _may_be_frozen(found.forward)
        yield replace(found, strong=strong, passes=tuple(passes[place]))


def _may_be_frozen(forward: Forward) -> bool:
    """Whether a pass runs a network that may have been saved without parameters, `torch.jit.load(path)`."""
    modules = (option.obj for option in options_of(forward.module) if isinstance(option, Ref))
    return any(module.path in lib.MAY_BE_FROZEN for module in modules)


def _leaves_lines_out(model: ScriptModel, forward: Forward) -> bool:
    """Whether `...` stands for lines in a loop around a pass, or else in its function: such as train may be
    among them."""
    function = model.function_of(forward.node)
    blocks = [loop.node for loop in forward.loops] or ([function.body] if function is not None else [])
    lines = (line for block in blocks for line in model.every(cst.Expr, block))
    return any(isinstance(line.value, cst.Ellipsis) for line in lines)


def _computes_derivatives(model: ScriptModel, forward: Forward) -> bool:
    """Whether a network differentiates as it runs, for sure or perhaps."""
    asked = gives_derivatives(model, forward.node) or may_give_forces(model, forward)
    return asked or differentiates_itself(model, forward)


def _place(model: ScriptModel, found: Recorded) -> cst.CSTNode | None:
    """Where one finding says all: the loop, the function, or the block around what is for display."""
    if found.display:
        line = model.statement_of(found.site)
        return model.parent(line) if line is not None else None
    return found.loop.node if found.loop is not None else found.frame.node


def _for_display(model: ScriptModel, forward: Forward) -> Recorded | None:
    how = displayed(model, forward)
    if not how:
        return None
    site, frame = forward.node, forward.frame
    driven = is_managed(model, frame)
    while not (driven or frame.entry) and frame.caller and frame.call:
        # What a method of a network runs belongs to its callers, and so does what others of them train.
        if not (_is_of_network(frame) or _trains_too(model, forward, site)):
            break
        site, frame = frame.call, frame.caller
    if site is not forward.node and _trains_too(model, forward, site):
        return None
    return Recorded(forward, site, None, frame, frame.name, False, how)


def _trains_too(model: ScriptModel, forward: Forward, site: cst.CSTNode) -> bool:
    """Whether what leads to a forward pass for display, or is it, also runs one that trains."""
    passes = (f for f in model.trace.passes() if f is not forward and not is_wasted(model, f))
    return any(f.node is site or any(frame.call is site for frame in f.frame.chain()) for f in passes)


def _at_once(model: ScriptModel, forward: Forward) -> Recorded | None:
    if not forward.ids or not is_wasted(model, forward) or not tests_at_once(model, forward):
        return None
    if is_managed(model, forward.frame) or _wants_grad(model, forward):
        return None
    return Recorded(forward, forward.node, None, forward.frame, forward.frame.name, False)


def _is_of_network(frame: Frame) -> bool:
    return isinstance(frame.self_value, Ref) and frame.self_value.obj.kind == "module"


def _is_called_without(model: ScriptModel, found: Recorded) -> bool:
    """Whether the script itself calls an evaluation outside no_grad that it calls under no_grad elsewhere."""
    chain = found.forward.frame.chain()
    if not found.strong or chain[-1].name != "<module>" or any(f.entry or f.cross_module for f in chain[:-1]):
        return False
    same = [f for f in model.trace.passes() if f.node is found.forward.node and f.grad != "on"]
    called = {f.call for f in chain}
    return bool(same) and all(not {f.call for f in other.frame.chain()} >= called for other in same)


def _keys(model: ScriptModel, found: Recorded) -> set[tuple[object, int]]:
    return places_of(model, found.forward, found.loop)


def places_of(model: ScriptModel, forward: Forward, loop: Loop | None) -> set[tuple[object, int]]:
    """How `protected` knows a forward pass in a loop: by its call, and by the text of that."""
    place = id(loop.node) if loop is not None else 0
    return {(id(forward.node), place), (forward.code + model.short(forward.node, 200), place)}


@cached
def protected(model: ScriptModel) -> set[tuple[object, int]]:
    """(forward, loop) pairs that run under no_grad from some caller, or in the `try` of a fallback."""
    found: set[tuple[object, int]] = set()
    for forward in model.trace.passes():
        if forward.grad != "on":
            keys = (id(forward.node), forward.code + model.short(forward.node, 200))
            found |= {(key, id(loop.node)) for loop in forward.loops for key in keys} | {
                (id(forward.node), 0)
            }
    return found


def _position(model: ScriptModel, found: Recorded) -> int:
    return model.positions.get(found.site, 0)


def _may_be_wasted(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward builds an autograd graph, and nothing is known that would want it."""
    # A network that is being made runs parts of itself to learn their shapes.
    if in_unit_test(model, forward.frame) or forward.frame.constructs_module():
        return False
    if not forward.ids or not is_wasted(model, forward) or _is_of_a_predictor(model, forward):
        return False
    if _gets_nothing(forward) or _is_of_a_training_step(model, forward):
        return False
    if _prepares(model, forward) or is_tried_out(model, forward) or is_demonstrated(model, forward):
        return False
    if isinstance(forward.module, Tensor):
        # The graph of a product with a loose parameter holds its input, which is there anyway.
        return False
    return not (
        _wants_grad(model, forward)
        or is_frozen(model, forward)
        or is_managed(model, forward.frame)
        or (_is_training_function(forward) and not _is_apart_from_training(model, forward))
    )


def _is_of_a_predictor(model: ScriptModel, forward: Forward) -> bool:
    """Whether a call is that of an object which predicts from pictures or text and sees to the grad mode
    itself: a class of a library does, or it takes settings of the prediction beside the input, or gives what
    pipelines of diffusers give, `generator(prompt).images`."""
    node = forward.node
    if not isinstance(node, cst.Call):
        return False
    given = {a.keyword.value for a in node.args if a.keyword is not None}
    if given & lib.PREDICTION_SETTINGS:
        return True
    above = model.parent(node)
    read = above.attr.value if isinstance(above, cst.Attribute) else ""
    if (given & lib.PIPELINE_SETTINGS or read in lib.PIPELINE_RESULTS) and _is_one_by_name(forward):
        return True
    paths = {o.obj.path for o in options_of(forward.module) if isinstance(o, Ref)}
    owners = [(node.func, "__call__")]
    if isinstance(node.func, cst.Attribute):
        owners.append((node.func.value, node.func.attr.value))
    for owner, method in owners:
        behind = (s.node for s in _sources(model, owner) if isinstance(s.node, cst.Call))
        made = (called_on(call, lib.DEVICE_MOVES) for call in behind)
        found = {model.path_of(call.func) for call in made if isinstance(call, cst.Call)} | paths
        if any(lib.PREDICTORS.match(f"{path}.{method}") for path in found):
            return True
    return False


def _sources(model: ScriptModel, node: cst.BaseExpression) -> list[Definition]:
    return value_sources(model, node) if model.owns(node) else []


def _prepares(model: ScriptModel, forward: Forward) -> bool:
    """Whether a call makes inputs for a network: a method that says so, or what is only named an encoder, for
    one that runs under no_grad in the same loop: who wrote that would have covered a network."""
    roles = why_forward(model, forward)
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    if isinstance(func, cst.Attribute) and hints.PREPARES_INPUT.search(func.attr.value):
        return True
    named = func is not None and hints.ENCODES_DATA.search(last_name(func))
    if not named or forward.own_eval or any(role.evidence != "name" for role in roles):
        return False
    covered = (f for f in model.trace.forwards.values() if f.grad == "off" and f.module != forward.module)
    return any(set(forward.loops) & set(f.loops) for f in covered)


def _is_of_a_training_step(model: ScriptModel, forward: Forward) -> bool:
    """Whether the method that a trainer calls for a step leads to a forward pass: what becomes of the loss is
    up to it and to the base of its class, whatever the names on the way say."""
    for frame in forward.frame.chain():
        owner = model.owner_class(frame) if frame.name == "training_step" else None
        if owner is not None and owner.bases and frame is not forward.frame:
            return True
    return False


def _gets_nothing(forward: Forward) -> bool:
    """Whether what only its name makes a network is called with nothing: a reference, or a function that
    gives the network. `model.forward()` computes with what the model was given before."""
    node, modules = forward.node, [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if not isinstance(node, cst.Call) or node.args or works_on_itself(forward):
        return False
    return all(m.by_name for m in modules)


def _is_of_a_metric(forward: Forward) -> bool:
    """Whether a module that measures is called: those of torchmetrics see to the grad mode themselves. What
    the file defines, or makes of torch's layers, is none, whatever its name, unless a base of it measures."""
    node, modules = forward.node, [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if modules and all(m.cls is not None and _extends_a_metric(m.cls) for m in modules):
        return True
    if any(m.cls is not None or (m.path.startswith("torch.nn.") and m.path not in _LISTS) for m in modules):
        return False
    return isinstance(node, cst.Call) and bool(hints.METRIC.search(last_name(node.func)))


def _is_one_by_name(forward: Forward) -> bool:
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    return all(m.by_name and m.cls is None for m in modules)


def _is_of_another_engine(model: ScriptModel, forward: Forward) -> bool:
    """Whether what is called belongs to another framework: that makes it, it gets an array of that,
    `model(mx.array(x))`, or a check of its type says so, `if isinstance(model, openvino.CompiledModel)`; or
    only its name makes it a network, and its function computes with JAX or the like."""
    node = forward.node
    if not isinstance(node, cst.Call):
        return False
    if model.imports(*OTHER_FRAMEWORKS) and _is_one_by_name(forward):
        around = model.function_of(node) or node
        used = (model.path_of(n).partition(".")[0] for n in model.every(cst.Attribute, around))
        if not OTHER_FRAMEWORKS.isdisjoint(used):
            return True
    made = (call.func for arg in node.args for call in calls_in(arg.value))
    tests = (a.test for a in model.ancestors(node) if isinstance(a, cst.If))
    checks = (call for test in tests for call in calls_in(test, "isinstance") if len(call.args) == 2)
    asked = (call.args[1].value for call in checks if same(call.args[0].value, node.func))
    makers = (source.node.func for source in _sources(model, node.func) if isinstance(source.node, cst.Call))
    return any(lib.OTHER_ENGINES.match(model.path_of(name)) for name in (*made, *asked, *makers))


def _extends_a_metric(info: ClassInfo) -> bool:
    """Whether a base of a class is one that measures, by its name or that of its module."""
    for base in info.bases:
        path = base.info.node.name.value if isinstance(base, Class) else getattr(base, "path", "")
        if hints.METRIC_CLASS.search(path) or (isinstance(base, Class) and _extends_a_metric(base.info)):
            return True
    return False


def _evaluation(model: ScriptModel, forward: Forward) -> Recorded | None:
    if not _may_be_wasted(model, forward):
        return None
    trace = model.trace
    loops = [loop for loop in forward.loops if over_batches(trace, loop)]
    loop = loops[-1] if loops else forward.loops[-1] if forward.loops and not trace.backwards else None
    own = [x for x in forward.loops if x.frame is forward.frame]
    if loop is not None and loop not in own and own and not over_loader(loop):
        loop = own[0]
    frames = forward.frame.chain()
    if loop is not None and loop.frame is not forward.frame and steps_elsewhere(model, forward, loop):
        loop = own[0] if own else None
    inside = frames_inside(frames, loop)
    word = evaluates(loop, inside)
    evaluating = forward.evaluating or calls_eval_before(model, loop)
    escapes = gets_out(model, forward.ids)
    if trains(model, forward, loop, bool(word) or evaluating):
        beside = beside_training(model, forward) if not escapes else None
        if beside is None:
            return None
        site, frame = beside
        return Recorded(forward, site, None, frame, frame.name, True)
    if loop is None:
        return _single(model, forward, escapes)
    gathered = is_gathered_on_host(model, forward, loop)
    inferring = evaluating and (word or any(naming.infers(f.name) for f in inside))
    if escapes and not (inferring or gathered):
        return None
    told = word or evaluating or gathered
    shown = told or _has_metrics(model, loop.node) or is_inference(model, forward, loop, inside)
    seen = shown or _only_seen(model, forward) or graph_is_cut(model, forward)
    if not shown and (acts(model, loop) or not seen):
        return None
    if _feeds_backward_elsewhere(model, forward, loop):
        return None
    told = told or over_loader(loop)
    if not told and _is_a_part(model, forward) and not _gives_numbers(model, forward, loop):
        return None
    dropped = goes_nowhere(model, forward.node) and not works_on_itself(forward)
    if _makes_the_network(model, forward, loop) and not over_loader(loop):
        # One network after the other is shown, and each goes with its graph.
        return None
    if dropped and (not over_loader(loop) or is_handed_on(model, forward.frame)):
        # A dry run, to warm up or to take the time: its graph goes at once.
        return None
    helps = isinstance(loop.node, cst.While) and not over_loader(loop) and forward.frame is not loop.frame
    if (helps or acts(model, loop)) and _is_gone_at_once(model, forward):
        return None
    if not told and is_of_a_library(model, forward) and not _gives_numbers(model, forward, loop):
        return None
    if not told and _is_a_check(model, loop):
        return None
    if not over_loader(loop) and is_up_to_callers(model, forward):
        return None
    asks = forward.frame is not loop.frame or any(f.entry and f.self_value is not None for f in frames)
    if asks and only_measured(model, forward):
        return None  # a library, or a helper, asks for the shape of what a network gives: the graph goes
    if not (evaluating or gathered) and (
        _is_within_network(model, loop) or yields_to_callers(model, forward)
    ):
        return None
    if not over_loader(loop) and is_run_by_forward(model, loop.frame):
        return None  # a loop through layers, also of what its constructor has put into evaluation mode
    site = _site(forward, loop)
    if goes_nowhere(model, site) and _ends_at_once(loop):
        # One batch sets a network up: its graph goes at once.
        return None
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    is_loss = func is not None and naming.loss_call(last_name(func))
    if not told and (is_loss or any(naming.loss_call(f.name) for f in inside)):
        return None
    return Recorded(
        forward,
        site,
        loop,
        forward.frame if isinstance(loop.node, cst.FunctionDef) else loop.frame,
        word or loop.source,
        (bool(word) or evaluating)
        and not acts(model, loop)
        and not _is_asked_for(forward)
        and _is_shown(model, forward, loop),
        named=_is_named(model, forward, loop),
    )


def _is_shown(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether more than a name tells that a network evaluates: it was put into evaluation mode, a function on
    the way from the loop to the forward pass calls `.eval()`, or the loop goes through a loader."""
    inside = frames_inside(forward.frame.chain(), loop)
    told = forward.evaluating and any(calls_eval(model, frame) for frame in inside)
    return forward.own_eval or told or over_loader(loop) or calls_eval_before(model, loop)


def _is_named(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether only a name tells that a function which nothing here calls runs a network, and runs it for
    evaluation. It may as well be a factory, a table, or a pipeline that sees to the grad mode itself.
    """
    roles = why_forward(model, forward)
    by_name = bool(roles) and all(role.evidence == "name" for role in roles)
    called = not any(f.entry for f in forward.frame.chain() if isinstance(f.node, cst.FunctionDef))
    return by_name and not (called or _is_shown(model, forward, loop) or ends_of(model, forward, True).cut)


def _is_gone_at_once(model: ScriptModel, forward: Forward) -> bool:
    """Whether nothing but places in it are taken from a result, which has no name: `net(state).argmax()`."""
    above = model.parent(forward.node)
    if isinstance(above, cst.Attribute):
        return above.attr.value in lib.INDEX_METHODS
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(call, cst.Call) and last_name(call.func) in lib.INDEX_FUNCTIONS


def _is_within_network(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop goes through parts of a network in its forward pass, whatever they are called: also in
    methods that `forward` runs when something else runs them."""
    return not over_loader(loop) and (in_forward(model.trace, loop) or is_run_by_forward(model, loop.frame))


def _is_a_part(model: ScriptModel, forward: Forward) -> bool:
    """Whether a network's own method, not one that predicts, hands on what its parts give: `features(x)`."""
    owner, function = forward.frame.self_value, forward.frame.node
    if not isinstance(owner, Ref) or owner.obj.kind != "module" or not isinstance(function, cst.FunctionDef):
        return False
    return not naming.infers(function.name.value) and bool(returned(model, function))


def _ends_at_once(loop: Loop) -> bool:
    """Whether the first turn of a loop is its last one."""
    return isinstance(loop.node, (cst.For, cst.While)) and leaves(loop.node.body, Leave.BREAK)


def _is_a_check(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop runs a network for assertions: a file that tests itself, one setting after the other."""
    return any(loop in f.loops and only_demanded(model, f) for f in model.trace.forwards.values())


def _makes_the_network(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether each turn of a loop makes the network that it runs: a tour of kinds or of settings."""
    objects = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    made = {id(obj.node) for obj in objects if obj.node is not None}
    return any(id(call) in made for call in model.every(cst.Call, loop.node))


def _only_seen(model: ScriptModel, forward: Forward) -> bool:
    """Whether what a forward pass gives is only looked at; in a script, printing its shape is enough."""
    if only_looked_at(model, forward):
        return True
    return not is_of_a_library(model, forward) and only_measured(model, forward)


def _feeds_backward_elsewhere(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether another caller of the function runs backward, after the loop, through what that gives it."""
    others = (f for f in model.trace.forwards.values() if f is not forward and f.grad != "off")
    same = (f for f in others if f.node is forward.node)
    alike = (f for f in same if any(x.node is loop.node for x in f.loops) and _may_train(model, f))
    inside = [b for b in model.trace.backwards.values() if any(x.node is loop.node for x in b.loops)]
    return not inside and any(alike)


def _may_train(model: ScriptModel, forward: Forward) -> bool:
    """Whether a backward goes through what a forward pass gives, or may: a function that does not say that it
    evaluates hands it to callers out of view, `batch_to_loss` beside `validation_step`."""
    if not is_wasted(model, forward):
        return True
    entry = next((f for f in forward.frame.chain() if f.entry), None)
    told = entry is None or naming.infers(entry.name) or naming.evaluates(entry.name)
    return not (told or forward.own_eval) and gets_out(model, forward.ids)


def _gives_numbers(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether callers get text or numbers only, from a method of the class that makes the network, or from
    code that detaches what the network gives: it counts on a graph."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    known = bool(modules) and not any(m.by_name for m in modules)
    gives = only_looked_at if known else is_detached_and_looked_at
    return not acts(model, loop) and gives(model, forward)


def _site(forward: Forward, loop: Loop) -> cst.CSTNode:
    node, frame = forward.node, forward.frame
    if isinstance(loop.node, cst.FunctionDef):
        # A framework runs the function for every batch.
        return node
    while frame is not loop.frame and frame.caller is not None and frame.call is not None:
        node, frame = frame.call, frame.caller
    return node


def _single(model: ScriptModel, forward: Forward, escapes: bool) -> Recorded | None:
    """A forward outside loops over batches: only after `.eval()`, and only where no training follows, or in a
    method that predicts with what its object trains."""
    site, frames = handed_up(model, forward)
    frame = frames[-1]
    if predicts(model, forward, frame):
        return Recorded(forward, site, None, frame, frame.name, False)
    told = forward.evaluating and any(calls_eval(model, active) for active in frames)
    if not told and not answers_requests(model, forward):
        return None
    if goes_nowhere(model, site):
        # A dry run, of one input: its graph goes at once.
        return None
    others = (f for f in model.trace.forwards.values() if f is not forward and f.node is forward.node)
    if any(_may_train(model, f) for f in others):
        # Another caller runs backward through what this line gives.
        return None
    if is_taken_by_hooks(model, frame.node):
        return None
    handed_on = escapes or isinstance(model.parent(site), cst.Return)
    if handed_on and not naming.evaluates(frame.name):
        return None
    if gives_tensors(model, forward) or is_up_to_callers(model, forward):
        return None
    if frame.entry and frame.self_value is not None and is_returned(model, site):
        if not (naming.infers(frame.name) and graph_is_cut(model, forward)):
            # A getter of a library: the graph is gone before its caller goes on.
            return None
        return Recorded(forward, site, None, frame, frame.name, False)
    strong = naming.evaluates(frame.name) and not _is_asked_for(forward)
    return Recorded(forward, site, None, frame, frame.name, strong)


def _is_asked_for(forward: Forward) -> bool:
    """Whether a getter of a network out of view gives the result, `model.get_embeddings(names)`: it may see
    to the grad mode itself."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    return isinstance(func, cst.Attribute) and func.attr.value.startswith("get_") and comes_by_method(forward)


def _wants_grad(model: ScriptModel, forward: Forward) -> bool:
    """Whether the code around needs gradients in evaluation: attacks, saliency, input optimisation. What a
    loop that trains, beside the forward pass, differentiates is the training's: a gradient penalty."""
    inside = frames_inside(forward.frame.chain(), forward.loops[-1] if forward.loops else None)
    scopes: list[cst.CSTNode] = [f.node for f in inside if isinstance(f.node, cst.FunctionDef)] or [
        x.node for x in forward.loops[-1:]
    ]
    apart = frozenset(
        loop.node
        for step in model.trace.steps.values()
        for loop in step.loops
        if loop.node is not None and not any(loop.node is x.node for x in forward.loops)
    )
    if any(_calls_what_is_given(model, scope) for scope in scopes if isinstance(scope, cst.FunctionDef)):
        return True
    return wants_input_gradients(model, scopes, apart) or (
        works_on_itself(forward) and any(_differentiates_itself(model, forward, scope) for scope in scopes)
    )


def _calls_what_is_given(model: ScriptModel, function: cst.FunctionDef) -> bool:
    """Whether a function calls one that its own caller gives, which may differentiate: `plot_function(u)`."""
    given = [name for name in parameters(function) if hints.GIVEN_FUNCTION.search(name)]
    return bool(given) and any(dotted(call.func) in given for call in model.every(cst.Call, function))


def _differentiates_itself(model: ScriptModel, forward: Forward, scope: cst.CSTNode) -> bool:
    """Whether a model that is run on what it was given is also told to run backward: `model.backward_G()`."""
    run = forward.node.func if isinstance(forward.node, cst.Call) else None
    if not isinstance(run, cst.Attribute):
        return False
    methods = (c.func for c in model.every(cst.Call, scope) if isinstance(c.func, cst.Attribute))
    told = {m.attr.value for m in methods if same(m.value, run.value)} - {"train"}
    return any(naming.differentiating_call(name) or naming.trains(name) for name in told)


@cached
def _has_metrics(model: ScriptModel, loop: cst.CSTNode) -> bool:
    """Whether a loop computes accuracies or collects predictions."""
    names = {n.value for n in model.every(cst.Name, loop)}
    return bool(
        names
        & {"argmax", "correct", "accuracy", "preds", "predictions", "predicted", "topk", "confusion_matrix"}
    )


def _manages_evaluation(model: ScriptModel) -> bool:
    """Whether grad mode is switched off for the whole file."""
    if "set_grad_enabled" not in model.identifiers:
        return False
    for statement in model.module.body:
        for node in model.walk(statement):
            if (
                isinstance(node, cst.Call)
                and dotted(node.func).endswith("set_grad_enabled")
                and isinstance(model.parent(node), cst.Expr)
                and node.args
                and literal(node.args[0].value) is False
                and model.function_of(node) is None
            ):
                return True
    return False


def _is_apart_from_training(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward pass runs in a loop over data that follows the loop in which its function trains."""
    loop = forward.loops[-1] if forward.loops else None
    if loop is None or loop.frame is not forward.frame or not over_loader(loop):
        return False
    here = [b for b in model.trace.backwards.values() if b.frame is forward.frame and b.loops]
    start = model.positions.get(loop.node, 0)
    before = (b for b in here if loop not in b.loops and model.positions.get(b.loops[-1].node, 0) < start)
    return bool(here) and len(list(before)) == len(here)


def _is_training_function(forward: Forward) -> bool:
    name = forward.frame.name
    return naming.trains(name) and not naming.evaluates(name) and not forward.evaluating
