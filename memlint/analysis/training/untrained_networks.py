"""Networks that no optimizer of the file trains, and that training loops run all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definitions_meant, targets_in
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Backward, Forward, Loop, Step
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge.libraries import MODEL_PATHS
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import comes_by_method
from memlint.analysis.training.grad_reads import steps_by_hand
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.values import Frame, Obj, Params, Ref, Tensor, Value, options_of
from memlint.records import dataclass
from memlint.syntax.arguments import argument_for
from memlint.syntax.expressions import called_on, literal, place, reads_place, same
from memlint.syntax.tree import last_name

_COPIES_GRADIENTS = pattern(r"\._?grad\s*=\s*(?!None|=)\w")
_FILLS_GROUPS = pattern(r"""\[["']params["']\]\s*(=[^=]|\+=|\.(append|extend)\()""")
_NAMES_A_CLASS = pattern(r"(.*\.)?[A-Z]\w*$")
_LAYERS = pattern(
    r"(Linear|Conv\w*|Embedding\w*|LSTM\w*|GRU\w*|RNN\w*|Transformer\w*|MultiheadAttention|Bilinear|Parameter"
    r"|\w+Norm\w*|Sequential|ModuleList)$"
)


S = TypeVar("S", bound="Step | Backward")


@dataclass(frozen=True, slots=True)
class Untrained:
    """A recorded forward pass of a network in no optimizer, beside a step: that of an optimizer, or the
    `training_step` after which a trainer takes it.

    `cut` says that no backward reaches its result.
    """

    forward: Forward
    step: Step | Backward
    cut: bool


def untrained(model: ScriptModel) -> Iterator[Untrained]:
    """Forward passes in training loops whose graph trains nothing: no parameter of theirs, no input."""
    _, complete = optimized(model)
    for found, obj in _beside_steps(model):
        forward, cut = found.forward, found.cut
        if not cut and not isinstance(found.step, Step) and not (complete and _is_only_run(model, obj)):
            continue
        sure = complete or (cut and is_copy(model, obj))
        plain = cut or _is_made_as_trained_ones(model, forward) or _gets_weights(model, forward)
        switched = complete and plain and _is_switched_to_eval(model, forward)
        alone = complete and _is_only_made(model, forward)
        name = _name(model, forward)
        role = bool(hints.UNTRAINED_NETWORK.search(name)) or (
            complete and obj.by_name and _copies_weights(model, forward)
        )
        alone = alone or (obj.by_name and _judges_what_comes_next(model, forward))
        if (switched or _believed(forward, obj, name, sure, cut, alone, role)) and not _graph_comes_in(
            model, forward
        ):
            yield found


def passed_through(model: ScriptModel) -> Iterator[tuple[Untrained, Obj]]:
    """Forward passes of networks that the file makes and no optimizer has, through which a backward goes to
    what is trained: a network that serves a loss."""
    _, complete = optimized(model)
    for found, obj in _beside_steps(model) if complete else ():
        if not found.cut and not obj.by_name and _graph_comes_in(model, found.forward):
            yield found, obj


def _beside_steps(model: ScriptModel) -> Iterator[tuple[Untrained, Obj]]:
    """Recorded forward passes in training loops of networks that no optimizer is known to have."""
    owners, _ = optimized(model)
    trained = inside(model, owners | _wrapped(model, owners))
    steps = _steps(model)
    if not steps or _COPIES_GRADIENTS.search(model.text) or steps_by_hand(model):
        return
    frozen = model.trace.frozen | _frozen_elsewhere(model)
    beside = first_in_turns(steps)
    for forward in model.trace.forwards.values():
        made = networks(forward)
        if not made or forward.grad != "on" or not forward.recorded:
            continue
        if in_unit_test(model, forward.frame):
            continue
        step = beside.get(turn_of(forward))
        parts = inside(model, [obj.id for obj in made])
        if step is None or _in_network(forward, step):
            continue
        if parts & (trained | frozen) or _is_stepped_by_another(model, forward):
            continue
        if any(_may_freeze_itself(model, obj) or not has_parameters(model, obj) for obj in made):
            continue
        yield Untrained(forward, step, not is_differentiated(model, forward.ids)), made[0]


def _steps(model: ScriptModel) -> list[Step | Backward]:
    """The steps of the file; where it takes none, those that a trainer takes when `training_step` is done,
    with an optimizer that the file makes."""
    found: list[Step | Backward] = list(model.trace.steps.values())
    driven = (b for b in model.trace.backwards.values() if isinstance(b.node, cst.FunctionDef))
    return found or (list(driven) if optimized(model)[0] else [])


def _may_freeze_itself(model: ScriptModel, obj: Obj) -> bool:
    """Whether a model of another file, whose constructor is not run, speaks of freezing parameters."""
    if obj.cls is None or model.owns(obj.cls.node):
        return False
    names = (node.value for node in model.walk(obj.cls.node) if type(node) is cst.Name)
    return any(hints.FREEZING_CALL.search(name) for name in names)


def _is_stepped_by_another(model: ScriptModel, forward: Forward) -> bool:
    """Whether the constructor of another object with a `step()` that the file calls was given the network."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    return func is not None and place(func) in _given_to_steppers(model)


@cached
def _given_to_steppers(model: ScriptModel) -> frozenset[str]:
    """The names of networks that were given to constructors of objects whose `step()` the file calls."""
    methods = (c.func for c in model.names.calls if isinstance(c.func, cst.Attribute))
    owners = (method.value for method in methods if method.attr.value == "step")
    made = (s.node for owner in owners for s in value_sources(model, owner))
    given = (a.value for c in made if isinstance(c, cst.Call) for a in c.args)
    return frozenset(name for value in given if (name := place(value)))


def _believed(
    forward: Forward, obj: Obj, name: str, complete: bool, cut: bool, alone: bool, role: bool
) -> bool:
    """Whether what is in view is enough: a function's parameter may be frozen, or trained, by its caller.
    `alone`: the file makes the network and freezes nothing; `role`: it serves the training of another."""
    if obj.by_name:
        simple = name.removeprefix("self.").count(".") == 0
        return simple and role and (cut or forward.own_eval or alone)
    return complete or (role and (cut or forward.own_eval))


def _name(model: ScriptModel, forward: Forward) -> str:
    """The name by which a network is run: without the method, out of view, through which another network is
    trained, `student.features(x)` beside `teacher.features(x)`. Of other methods more may be true."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or not comes_by_method(forward):
        return forward.code
    others = (o for o in model.trace.forwards.values() if o.module != forward.module)
    same = (o for o in others if o.code.rpartition(".")[2] == func.attr.value and comes_by_method(o))
    return place(func.value) if any(_is_trained(model, o) for o in same) else forward.code


def _is_only_run(model: ScriptModel, obj: Obj) -> bool:
    """Whether a LightningModule makes a network itself, and no word of its file speaks of freezing, or of
    training a part of a network for a time: callbacks of other files do so too."""
    words = (hints.FREEZING_CALL, hints.PARTLY_TRAINED, hints.TRAINED_LATER)
    return isinstance(obj.node, cst.Call) and not any(w.search(n) for n in model.identifiers for w in words)


def _is_only_made(model: ScriptModel, forward: Forward) -> bool:
    """Whether the file makes a network, of a class out of view, and freezes the parameters of none."""
    call = forward.node
    if not isinstance(call, cst.Call) or _freezes_some(model):
        return False
    sources = [s for s in value_sources(model, call.func) if not _is_none(s.node)]  # None is not called
    return bool(sources) and all(s.kind == "value" and isinstance(s.node, cst.Call) for s in sources)


def _is_none(node: object) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


@cached
def _freezes_some(model: ScriptModel) -> bool:
    """Whether the file has a name for freezing parameters."""
    return any(hints.FREEZING_CALL.search(name) for name in model.identifiers)


def _judges_what_comes_next(model: ScriptModel, forward: Forward) -> bool:
    """Whether what a network gives is added to rewards, as the value of the state after them, in a file that
    freezes the parameters of none: `y = r + gamma * target_net(s2).max(1).values`. No gradient is meant to go
    through it, whoever made the network."""
    line = model.statement_of(forward.node)
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if small is None or _freezes_some(model):
        return False
    given = {place(target) for target in targets_in(model, small)} - {""}
    scope = model.function_of(forward.node) or model.module
    for total in model.every(cst.BinaryOperation, scope):
        if not isinstance(total.operator, cst.Add):
            continue
        sides = (total.left, total.right), (total.right, total.left)
        for reward, value in sides:
            inside_it = reads_place(value, given) or forward.node in set(model.walk(value))
            if inside_it and hints.REWARDS.search(last_name(called_on(reward, lib.DEVICE_MOVES))):
                return True
    return False


def _is_switched_to_eval(model: ScriptModel, forward: Forward) -> bool:
    """Whether the script makes the network, of a class out of view, and only calls `eval()` on it."""
    call = forward.node
    if not forward.own_eval or not isinstance(call, cst.Call):
        return False
    sources = value_sources(model, call.func)
    return bool(sources) and all(s.kind == "value" and isinstance(s.node, cst.Call) for s in sources)


def _is_made_as_trained_ones(model: ScriptModel, forward: Forward) -> bool:
    """Whether the class of a network also makes one that an optimizer has: no class that freezes itself."""
    made = _constructors(model, forward)
    return bool(made) and not made.isdisjoint(_makers_of_trained_ones(model))


@cached
def _makers_of_trained_ones(model: ScriptModel) -> set[str]:
    """The calls that make networks which optimizers have, by their paths."""
    trained = inside(model, optimized(model)[0])
    passes = ((forward, network(forward)) for forward in model.trace.forwards.values())
    own = (_constructors(model, f) for f, obj in passes if obj is not None and obj.id in trained)
    return set().union(*own)


def _gets_weights(model: ScriptModel, forward: Forward) -> bool:
    """Whether the script itself loads the weights of a network, whose class then freezes none."""
    return forward.code in _getting_weights(model)


@cached
def _getting_weights(model: ScriptModel) -> frozenset[str]:
    called = (call.func for call in model.names.calls)
    loads = (f for f in called if isinstance(f, cst.Attribute) and f.attr.value == "load_state_dict")
    return frozenset(place(func.value) for func in loads)


def _copies_weights(model: ScriptModel, forward: Forward) -> bool:
    """Whether a network takes over the weights of one that an optimizer has, `target.load_state_dict(
    net.state_dict())`: it follows that one, whatever its name is."""
    trained = {o.code for o in model.trace.forwards.values() if _is_trained(model, o)}
    called = (call for call in model.names.calls if last_name(call.func) == "load_state_dict" and call.args)
    loads = (c for c in called if isinstance(c.func, cst.Attribute) and place(c.func.value) == forward.code)
    given = (c.args[0].value for c in loads)
    asked = (g.func for g in given if isinstance(g, cst.Call) and isinstance(g.func, cst.Attribute))
    return any(f.attr.value == "state_dict" and place(f.value) in trained for f in asked)


def _is_trained(model: ScriptModel, forward: Forward) -> bool:
    made = {obj.id for obj in networks(forward)}
    return bool(inside(model, optimized(model)[0]) & made) and is_differentiated(model, forward.ids)


def _constructors(model: ScriptModel, forward: Forward) -> set[str]:
    """The calls that make the network which a forward pass runs, by their paths, wrapped or not."""
    node = forward.node
    made = [s.node for s in value_sources(model, node.func)] if isinstance(node, cst.Call) else []
    calls = [part for source in made for part in model.every(cst.Call, source)]
    paths = {model.path_of(call.func) for call in calls}
    return {path for path in paths if _NAMES_A_CLASS.match(path) and not path.startswith("torch.")}


def _in_network(forward: Forward, step: Step | Backward) -> bool:
    """Whether a method of a network makes the call: its parts are trained as the network is. One that takes
    the step, and that of a LightningModule, says itself which of them an optimizer has."""
    takes_it = [f.self_value for f in step.frame.chain()] if isinstance(step, Step) else []
    selves = (f.self_value for f in forward.frame.chain() if f.name != "training_step")
    return any(isinstance(s, Ref) and s.obj.kind == "module" and s not in takes_it for s in selves)


def networks(forward: Forward) -> list[Obj]:
    """The one module that a forward runs, or those of which it runs one: `net = A() if small else B()`, where
    all of them are known by the same evidence."""
    found = [o.obj for o in options_of(forward.module) if isinstance(o, Ref) and o.obj.kind == "module"]
    if len(found) < len(options_of(forward.module)):
        return []
    return found if len({obj.by_name for obj in found}) == 1 else []


def network(forward: Forward) -> Obj | None:
    """The one module that a forward runs, None where it may be one of several."""
    options = options_of(forward.module)
    only = options[0] if len(options) == 1 else None
    return only.obj if isinstance(only, Ref) and only.obj.kind == "module" else None


def turn_of(forward: Forward) -> Loop | Frame | None:
    """The loop whose each turn runs a forward pass, or the function, where none is in view."""
    if forward.loops:
        own = forward.loops[:-1] if layer_loop(forward) is not None else forward.loops
        return own[-1] if own else None
    return forward.frame if len(forward.frame.chain()) > 1 else None


def first_in_turns(steps: Iterable[S]) -> dict[Loop | Frame | None, S]:
    """The first of some steps in each loop, or in a function where none is in view: `turn_of` what runs
    beside it."""
    found: dict[Loop | Frame | None, S] = {}
    for step in steps:
        found.setdefault(step.loops[-1] if step.loops else step.frame, step)
    return found


def layer_loop(forward: Forward) -> cst.For | None:
    """The loop through layers that runs a forward pass one by one: `for layer in net: x = layer(x)`."""
    loop = forward.loops[-1].node if forward.loops else None
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    if not isinstance(loop, cst.For) or not isinstance(func, cst.Name):
        return None
    elements = loop.target.elements if isinstance(loop.target, cst.Tuple) else ()
    targets = (loop.target, *(element.value for element in elements))
    return loop if any(same(target, func) for target in targets) else None


@cached
def optimized(model: ScriptModel) -> tuple[frozenset[int], bool]:
    """The modules whose parameters optimizers were given, and whether that is known of all optimizers."""
    found: set[int] = set()
    complete = "add_param_group" not in model.identifiers and not _FILLS_GROUPS.search(model.text)
    for obj in model.trace.objects.values():
        if obj.kind == "optimizer":
            owned = obj.args.get("#owners")
            owners = owned.owners if isinstance(owned, Params) else frozenset()
            found |= owners
            given = obj.args.get("0", obj.args.get("params"))
            complete = complete and given is not None and _is_clear(model, given)
    return frozenset(found), complete


def _wrapped(model: ScriptModel, owners: frozenset[int]) -> frozenset[int]:
    """What was handed to the unseen constructor of something whose parameters are trained: `Meta(net)`."""
    objects = (model.trace.objects.get(n) for n in owners)
    names = {o.name.rpartition(".")[2] for o in objects if o is not None and o.by_name}
    found: set[int] = set()
    for event in model.trace.opaque_calls.values() if names else ():
        above = model.parent(event.node)
        targets = above.targets if isinstance(above, cst.Assign) else ()
        if any(last_name(t.target) in names for t in targets):
            found |= event.objects
    return frozenset(found)


def _is_clear(model: ScriptModel, given: Value, depth: int = 0) -> bool:
    """Whether all that an optimizer was given is known, parameters of networks and tensors of the file: no
    list filled out of view."""
    if isinstance(given, Params):
        return bool(given.owners)
    if isinstance(given, Tensor):
        return not given.opaque
    if not isinstance(given, Ref) or given.obj.kind not in ("list", "dict") or depth > 2:
        return False
    entries = [(name, v) for name, v in model.machine.entries(given.obj) if name.startswith("[")]
    if given.obj.kind == "dict":
        entries = [(name, v) for name, v in entries if name == "['params']"]
    return bool(entries) and all(_is_clear(model, o, depth + 1) for _, v in entries for o in options_of(v))


def inside(model: ScriptModel, numbers: Iterable[int]) -> frozenset[int]:
    """These modules with all modules that they hold or are parts of, as far as it is known."""
    seen: set[int] = set()
    pending = list(numbers)
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        obj = model.trace.objects.get(number)
        if obj is None:
            continue
        held: list[Value] = [*obj.args.values(), *(v for _, v in model.machine.entries(obj))]
        for option in (o for v in held for o in options_of(v)):
            if isinstance(option, Ref) and _holds(option.obj):
                pending.append(option.obj.id)
            elif isinstance(option, Params):
                # A network that keeps the parameters of its parts, in groups for an optimizer.
                pending += option.owners
    return frozenset(seen)


def _holds(obj: Obj) -> bool:
    return obj.kind in ("module", "list", "dict")


def is_copy(model: ScriptModel, obj: Obj) -> bool:
    """Whether a module is a copy that the file makes: no optimizer from elsewhere has its parameters."""
    return isinstance(obj.node, cst.Call) and model.path_of(obj.node.func) == "copy.deepcopy"


def has_parameters(model: ScriptModel, obj: Obj) -> bool:
    """Whether a module has something to train, as far as its class or its constructor tells."""
    if obj.cls is not None:
        calls = (node for node in model.walk(obj.cls.node) if type(node) is cst.Call)
        made = (call for call in calls if is_layer(model.path_of(call.func)))
        return any(not _is_denied(model, call, obj) for call in made) or _holds_parameters(model, obj)
    if obj.path.startswith("torch.nn."):
        return bool(_LAYERS.search(obj.path))
    return is_copy(model, obj) or obj.by_name or bool(MODEL_PATHS.match(obj.path)) or "of" in obj.args


def _holds_parameters(model: ScriptModel, obj: Obj) -> bool:
    """Whether an attribute of a module is a network of another class of the file that has parameters."""
    held = (o.obj for _, value in model.machine.entries(obj) for o in options_of(value) if isinstance(o, Ref))
    return any(h.kind == "module" and h.cls not in (None, obj.cls) and has_parameters(model, h) for h in held)


def _is_denied(model: ScriptModel, call: cst.Call, obj: Obj) -> bool:
    """Whether a constructor makes something only by an option that is off for this object: it says so, or
    leaves it at that."""
    constructor = model.function_of(call)
    if not isinstance(constructor, cst.FunctionDef) or not isinstance(obj.node, cst.Call):
        return False
    if constructor.name.value != "__init__" or any(arg.star for arg in obj.node.args):
        return False
    listed = [*constructor.params.params, *constructor.params.kwonly_params]
    defaults = {param.name.value: param.default for param in listed if param.default is not None}
    below: cst.CSTNode = call
    for above in model.ancestors(call):
        if isinstance(above, cst.If) and below is above.body and isinstance(above.test, cst.Name):
            option = above.test.value
            given = argument_for(obj.node, constructor, option) or defaults.get(option)
            if given is not None and literal(given) in (False, None):
                return True
        below = above
    return False


def is_layer(path: str) -> bool:
    """Whether a call of this import path makes something with parameters."""
    return bool(_LAYERS.search(path) or MODEL_PATHS.match(path))


def _frozen_elsewhere(model: ScriptModel) -> frozenset[int]:
    """Modules given to code that cannot be seen and that by its name freezes them."""
    calls = (o for o in model.trace.opaque_calls.values() if hints.FREEZING_CALL.search(o.name))
    return frozenset().union(*(o.objects for o in calls))


def _graph_comes_in(model: ScriptModel, forward: Forward) -> bool:
    """Whether an argument carries a graph, so that gradients flow through the network to something else than
    the like of it: the target of a critic judges what the target of an actor does."""
    trace = model.trace
    given = frozenset().union(*(trace.parents.get(n, frozenset()) for n in forward.ids)) - forward.ids
    behind_it = trace.ancestors(given)
    alike = _of_untrained(model) | trace.unknowns
    while made := {n for n in behind_it - alike if trace.parents.get(n) and trace.parents[n] <= alike | {n}}:
        alike |= made
    if any(n in trace.made_in for n in behind_it - alike):
        return True
    if not is_differentiated(model, forward.ids):
        return False
    behind = (c for c in _calls_behind(model, forward) if not hints.UNTRAINED_NETWORK.search(place(c.func)))
    return any(_is_asked_of_trained(model, forward, call) for call in behind)


@cached
def _of_untrained(model: ScriptModel) -> frozenset[int]:
    """What networks give that serve the training of others, by their names, and that no optimizer has."""
    trained = inside(model, optimized(model)[0])
    served = (f for f in model.trace.forwards.values() if hints.UNTRAINED_NETWORK.search(_name(model, f)))
    found = (f.ids for f in served if not trained & {obj.id for obj in networks(f)})
    return frozenset().union(*found)


def _calls_behind(model: ScriptModel, forward: Forward) -> Iterator[cst.Call]:
    """The calls whose results, not detached, the arguments of a forward pass are made of."""
    pending: list[cst.CSTNode] = list(forward.node.args) if isinstance(forward.node, cst.Call) else []
    seen: set[cst.CSTNode] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, cst.Call):
            if naming.detaching_call(last_name(node.func)):
                continue
            yield node
        if isinstance(node, cst.Name):
            pending += [s.node for s in value_sources(model, node)]
        elif isinstance(node, (cst.BaseExpression, cst.Arg, cst.BaseElement, cst.BaseSlice)):
            pending += node.children


def _is_asked_of_trained(model: ScriptModel, forward: Forward, call: cst.Call) -> bool:
    """Whether a call that is not run is a method of what an optimizer trains or of an object that holds it,
    or is given it: `self.embed(x)` beside an optimizer over `self.encoder`. It may have a graph."""
    owners, _ = optimized(model)
    names = {obj.name for n in owners if (obj := model.trace.objects.get(n)) is not None and obj.by_name}
    own = {f"self.{name}" for name in names}
    func = call.func
    owner = place(func.value) if isinstance(func, cst.Attribute) else ""
    if definitions_meant(model, func):
        return False
    if owner in names | own or any(place(arg.value) in names | own for arg in call.args):
        return True
    if owner != "self" or naming.gives_data(last_name(func)):
        return False
    selves = (f.self_value for f in forward.frame.chain())
    held = inside(model, [s.obj.id for s in selves if isinstance(s, Ref)])
    return bool(held & owners) or not own.isdisjoint(_attributes(model))


@cached
def _attributes(model: ScriptModel) -> frozenset[str]:
    """The attributes that the file reads and writes, as `place` has them."""
    return frozenset(map(place, model.names.every(cst.Attribute)))
