"""What outlives an iteration: accumulations whose target grows over a loop, with what they keep alive."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import (
    backwards_beside,
    backwards_in,
    in_one_iteration,
    led_to_alike,
    program_point,
)
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.dataflow.value_sources import call_graph, value_sources
from memlint.analysis.facts import Forward, Loop, Store
from memlint.analysis.interpret.state import CONTENT, Key
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge.libraries import BATCH_HOOK, EPOCH_HOOK, EVALUATION_HOOK
from memlint.analysis.knowledge.naming import runs_once
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import is_only_named, may_give_arrays, why_forward
from memlint.analysis.training.containers import emptied_anywhere, removals
from memlint.analysis.training.evaluation import places_of, protected, recorded
from memlint.analysis.training.graphs import (
    Graph,
    Why,
    graph_of,
    is_differentiated,
    is_handed_out,
    wants_input_gradients,
)
from memlint.analysis.training.lifetimes.bounds import (
    keeps_the_last,
    lives_for_a_step,
    lives_for_a_window,
    only_end_is_read,
)
from memlint.analysis.training.lifetimes.handovers import handed_over
from memlint.analysis.training.lifetimes.whole_sums import differentiated_whole, through_all_of_a_list
from memlint.analysis.training.loops import (
    evaluates,
    gathers_for_step,
    in_forward,
    is_epochs,
    is_micro_loop,
    over_batches,
    over_loader,
    repeats_runs,
)
from memlint.analysis.training.modes.managed import is_managed
from memlint.analysis.training.optimization.accumulation_windows import conditions
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.uses.criteria import comes_from_criterion
from memlint.analysis.uses.structures import takes_apart
from memlint.analysis.uses.tensor_uses import (
    is_by_unknown_method,
    is_several,
    is_told_to_be_another,
    is_used_as_tensor,
)
from memlint.analysis.values import NO_IDS, NONE, Frame, Ref, Tensor, Unknown, Value, ids_of, options_of
from memlint.records import dataclass
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import calls_one, literal, words_of
from memlint.syntax.tree import last_name, root_name

# A deque this short bounds what it keeps: a few graphs, not a leak.
SHORT_DEQUE = 64


@dataclass(frozen=True, slots=True)
class LoopAccumulation:
    """A value that is kept beyond the iteration that made it.

    `status` says what backward did to its graph by the end of the iteration: reached, retained or
    unreached; or used, where a backward of the next iteration runs into it and fails; or whole, where it runs
    through all of it again. `site` is the statement or call to report: where the value is kept, or the call
    that handed it to a helper which keeps it (`through` is that helper's frame). `value_node` is what is
    kept, `beside` are other arguments of that call with a graph that the helper keeps alike. `graph` says
    why it carries a graph.
    """

    store: Store
    loop: Loop
    status: str
    site: cst.CSTNode
    value_node: cst.CSTNode
    frame: Frame
    through: Frame | None
    graph: Graph
    beside: tuple[cst.CSTNode, ...] = ()


@cached
def loop_accumulations(model: ScriptModel) -> list[LoopAccumulation]:
    """All accumulations that keep an autograd graph, each place once, the worst status first."""
    best: dict[int, LoopAccumulation] = {}
    found = [g for store in model.trace.stores.values() if (g := _accumulation(model, store)) is not None]
    products = {number for g in found for number in _products(model, g.store)}
    sums: dict[Key, set[int]] = {}
    for store in model.trace.stores.values():
        sums.setdefault(store.key, set()).update(_products(model, store))
    for accumulation in found:
        # A sum that is itself kept once per epoch is reported where it is built, and so is one that takes in
        # a part of itself: `total = total + total / n`.
        ids, own = accumulation.store.ids, _products(model, accumulation.store)
        others = (products | sums[accumulation.store.key]).difference(own)
        if ids and all(_made_by_sum(model, n, others) for n in ids):
            continue
        known = best.get(id(accumulation.site))
        if known is None or _rank(accumulation.status) > _rank(known.status):
            best[id(accumulation.site)] = accumulation
    return list(best.values())


def _products(model: ScriptModel, store: Store) -> Iterator[int]:
    """What an accumulation makes: a sum, or what its container holds."""
    if store.product:
        yield store.product
    if store.key[1] == CONTENT:
        yield model.machine.number("content", store.key[0])


def _rank(status: str) -> int:
    return ("reached", "retained", "unreached", "whole", "used").index(status)


def _accumulation(model: ScriptModel, store: Store) -> LoopAccumulation | None:
    trace = model.trace
    if store.key[0] in trace.generators and store.key[0] not in trace.collected:
        return None
    grows = store.grows
    if "unknown" in grows.values() and (
        comes_from_criterion(model, store.value, store.value_node) or _comes_beside_a_loss(model, store)
    ):
        grows = {x: "reached" if _trains_here(model, x) else status for x, status in grows.items()}
    if store.grad == "maybe":
        grows = {x: _where_it_trains(model, store, x, status) for x, status in grows.items()}
    loops = [x for x, status in grows.items() if status in ("reached", "retained", "unreached")]
    purpose = consumed(model, store)
    if purpose and (grown := _growing_before_their_end(model, store, loops)):
        purpose, loops = False, grown
    if purpose and (grown := through_all_of_a_list(model, store, loops)):
        purpose, loops = False, grown
    whole = differentiated_whole(model, store) if purpose else None
    used = fails_in(model, store) if purpose else None
    if not loops or (purpose and used is None and whole is None):
        return None
    if _short(store) or in_unit_test(model, store.frame):
        return None
    graph = graph_of(model, store.value, store.ids)
    if graph.why is Why.READ_AS_NUMBERS or (graph.why is Why.ENVIRONMENT and not _is_loss(model, store)):
        return None
    if _is_output_of_this_turn(model, store):
        return None
    if store.within and emptied_anywhere(model, store.target, taking=False):
        return None
    if graph.why is Why.WEIGHTS and (used is not None or whole is not None):
        # What is made of weights alone may save nothing for backward, which then runs through it once more.
        return None
    if whole is not None:
        loop, backward = whole
        status = "whole" if backward.retain or backward.create else "used"
        return LoopAccumulation(store, loop, status, store.node, store.value_node, store.frame, None, graph)
    if used is not None:
        return LoopAccumulation(store, used, "used", store.node, store.value_node, store.frame, None, graph)
    for loop in loops:
        if in_forward(trace, loop) or (_is_managed(loop) and _is_emptied(model, store, loop)):
            continue
        of_weights = graph.why is Why.WEIGHTS and _frees_here(model, loop)
        status = "reached" if of_weights else grows[loop]
        if is_micro_loop(trace, loop, store.loops) or gathers_for_step(trace, loop):
            continue
        if lives_for_a_window(model, store.target, loop) or lives_for_a_step(model, store, loop):
            continue
        if status == "reached" and (not _trains_here(model, loop) or _is_over_networks(model, loop, graph)):
            continue
        if status == "reached" and _is_over_criteria(model, store, loop):
            continue
        if status != "reached" and not (graph.why is Why.FORWARD and _unreached_counts(model, store, loop)):
            continue
        given = graph.forwards if status == "unreached" else ()
        if given and all(_may_be_none(model, forward, loop) for forward in given):
            continue
        if status == "reached" and is_epochs(loop) and len(store.loops) > 1 and store.loops[-1] is not loop:
            continue
        if status == "reached" and not store.product and keeps_the_last(model, store.target, loop.node):
            continue
        site, (value_node, *beside), frame, through = handed_over(model, store, loop)
        if through is None and _may_be_a_number(model, store, graph):
            return None
        if through is None and _is_field_out_of_view(model, store, graph):
            return None
        if through is None and _is_record_beside_loss(model, store, graph):
            return None
        if hints.NUMBER_OF.search(_entry(value_node)) or _hands_on_the_rest(value_node):
            return None
        return LoopAccumulation(
            store, loop, status, site, value_node, frame, through, graph, beside=tuple(beside)
        )
    return None


def _is_output_of_this_turn(model: ScriptModel, store: Store) -> bool:
    """Whether an entry is put into what a forward pass of the same turn gave: `rep, parts = net(x)`."""
    node, loop = store.node, store.loops[0] if store.loops else None
    entry = node.targets[0].target if isinstance(node, cst.Assign) else None
    if not isinstance(entry, cst.Subscript) or loop is None or loop.frame is not store.frame:
        return False
    name, made = root_name(entry), {f.node for f in model.trace.forwards.values() if loop in f.loops}
    lines = (line for line in model.every(cst.Assign, loop.node) if line.value in made)
    bound = (line for line in lines if any(name in model.names_in(target) for target in line.targets))
    return any(led_to_alike(model, line, node) for line in bound)


def _is_loss(model: ScriptModel, store: Store) -> bool:
    """Whether a backward is called on the very value: it has a graph, whatever it was computed from."""
    return any(store.ids & backward.ids for backward in model.trace.backwards.values())


def _may_be_a_number(model: ScriptModel, store: Store, graph: Graph) -> bool:
    """Whether only code out of view says that a value has a graph, on one way at least, and no name says that
    it is a loss, nor a backward that it has one: it may be a weight, a step size or a mean of what was
    recorded."""
    options = options_of(store.value)
    open_ = len(options) > 1 and any(isinstance(option, Unknown) for option in options)
    if not (open_ or graph.why is Why.UNSEEN) or any(isinstance(option, Ref) for option in options):
        return False
    named = any(hints.LOSS_TERM.search(word) for word in (*words_of(store.value_node), store.target))
    return not (named or _has_a_loss(model, store))


def _has_a_loss(model: ScriptModel, store: Store) -> bool:
    """Whether a backward is called on an entry or field of a value: `out["loss"].backward()`."""
    trace = model.trace
    roots = (n for backward in trace.backwards.values() for n in backward.ids if n in trace.lightweight)
    return any((given := trace.parents.get(n, NO_IDS)) and given <= store.ids for n in roots)


def _comes_beside_a_loss(model: ScriptModel, store: Store) -> bool:
    """Whether code out of view that got a network and its batch gives a value together with the loss that a
    backward runs through, and its name says that it is a loss, too: `loss, box_loss = step(net, batch)`."""
    trace, given = model.trace, model.trace.given_callables.keys()
    parts = store.ids & trace.unpacked
    made = {n for part in parts for n in trace.parents.get(part, NO_IDS)}
    if not parts or not made <= given or not hints.LOSS_VARIABLE.search(last_name(store.value_node)):
        return False
    return any(made & trace.ancestors(backward.ids) for backward in trace.backwards.values())


def _is_field_out_of_view(model: ScriptModel, store: Store, graph: Graph) -> bool:
    """Whether a field is kept of what only a name makes the output of a network, and no name says
    that the field is a tensor: `output.positions` may be a list of numbers."""
    evidence = (role.evidence for forward in graph.forwards for role in why_forward(model, forward))
    if next(evidence, "") != "name" or any(other != "name" for other in evidence):
        return False
    value = store.value_node
    sources = value_sources(model, value) if isinstance(value, cst.BaseExpression) else ()
    fields = [source.node.attr.value for source in sources if isinstance(source.node, cst.Attribute)]
    told = (hints.TENSOR_ATTRIBUTE, hints.LOSS_TERM)
    return 0 < len(fields) == len(sources) and not any(t.search(name) for t in told for name in fields)


def _entry(value: cst.CSTNode) -> str:
    """The key of an entry, `out["n_items"]`, or the name of a field, `out.n_items`; "" for all else."""
    if isinstance(value, cst.Attribute):
        return value.attr.value
    index = value.slice[0].slice if isinstance(value, cst.Subscript) else None
    key = literal(index.value) if isinstance(index, cst.Index) else None
    return key if isinstance(key, str) else ""


def _hands_on_the_rest(value: cst.CSTNode) -> bool:
    """Whether a list detaches the loss and hands on what else a function gave, `[loss.detach(), *parts[1:]]`:
    who wrote that knows the rest to be without graphs."""
    elements = value.elements if isinstance(value, (cst.List, cst.Tuple)) else ()
    rest = [e.value for e in elements if isinstance(e, cst.StarredElement)]
    first = [e.value for e in elements if isinstance(e, cst.Element)]
    taken = any(calls_one(part, "detach", "item") for part in first)
    return taken and bool(rest) and all(isinstance(part, cst.Subscript) for part in rest)


def _is_record_beside_loss(model: ScriptModel, store: Store, graph: Graph) -> bool:
    """Whether an entry is kept, by its key or one by one, of what code out of view gives beside a loss that
    is differentiated, as in `loss, logs = net(x, y)`: numbers to be shown, more often than not."""
    value = store.value_node
    base = value.value if isinstance(value, cst.Subscript) else _gone_through(model, value)
    parts = value_sources(model, base) if base is not None else []
    if not parts or any(part.kind != "item" for part in parts):
        return False
    if any(_is_in_view(model, part.node) for part in parts):
        return False
    made = [model.trace.made_in[n] for n in model.trace.ancestors(store.ids) if n in model.trace.made_in]
    calls = {part.node for part in parts}
    if any(frame.call in calls for each in made for frame in each.chain()):
        return False
    return any(is_differentiated(model, forward.ids) for forward in graph.forwards)


def _gone_through(model: ScriptModel, value: cst.CSTNode) -> cst.BaseExpression | None:
    """The mapping whose entries a loop around goes through: `for name, value in logs.items()`."""
    if not isinstance(value, cst.Name):
        return None
    loops = (above for above in model.ancestors(value) if isinstance(above, cst.For))
    around = next((loop for loop in loops if value.value in model.names_in(loop.target)), None)
    method = around.iter.func if around is not None and isinstance(around.iter, cst.Call) else None
    if not isinstance(method, cst.Attribute) or method.attr.value not in ("items", "values"):
        return None
    return method.value


def _is_in_view(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the code is known that a call runs: a function, or the class of the object that is called."""
    if not isinstance(node, cst.Call) or call_graph(model).callees(node):
        return True
    modules = (f.module for f in model.trace.forwards.values() if f.node is node)
    called = (o for module in modules for o in options_of(module) if isinstance(o, Ref))
    return any(o.obj.cls is not None for o in called) or bool(call_graph(model).classes(node.func))


def _may_be_none(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether what is taken for a forward pass may give arrays or be none, in a loop over no data."""
    return may_give_arrays(model, forward) or (is_only_named(model, forward) and not over_loader(loop))


def _growing_before_their_end(model: ScriptModel, store: Store, loops: list[Loop]) -> list[Loop]:
    """The loops in which backward runs through the last members of a list only, and nothing empties it."""
    method = store.node.func if isinstance(store.node, cst.Call) else None
    box = method.value if isinstance(method, cst.Attribute) else None
    if not isinstance(box, (cst.Name, cst.Attribute)):
        return []
    return [loop for loop in loops if only_end_is_read(model, box, loop.node)]


def _is_over_networks(model: ScriptModel, loop: Loop, graph: Graph) -> bool:
    """Whether each pass of a loop runs a network of its own, as `nets[i](x)` does: there are only few."""
    if not isinstance(loop.node, cst.For):
        return False
    chosen = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    calls = [f.node for f in graph.forwards if loop in f.loops]
    return bool(calls) and all(isinstance(c, cst.Call) and _names(model, c.func) & chosen for c in calls)


@cached
def _chosen_calls(model: ScriptModel, loop: cst.For) -> set[cst.CSTNode]:
    """The calls of what a loop goes through: `cost(x)` in `for name, cost in costs.items():`."""
    chosen = _names(model, loop.target)
    calls = model.every(cst.Call, loop)
    return {call for call in calls if isinstance(call.func, cst.Name) and call.func.value in chosen}


def _is_over_criteria(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether each pass of a loop calls a loss function of its own, `for name, cost in costs.items():`; what
    is stored are its results, by their names or in a list."""
    if not isinstance(loop.node, cst.For):
        return False
    own = _chosen_calls(model, loop.node)
    value: cst.CSTNode | None = store.value_node
    if own and value is store.node:
        # `losses[name] = loss`
        line = next((n for n in model.ancestors(value) if isinstance(n, cst.Assign)), None)
        value = line.value if line is not None else value
    if not own or not isinstance(value, cst.BaseExpression):
        return False
    return value in own or any(source.node in own for source in value_sources(model, value))


def _names(model: ScriptModel, node: cst.CSTNode) -> set[str]:
    return {n.value for n in model.walk(node) if isinstance(n, cst.Name)}


def _short(store: Store) -> bool:
    return store.bounded is not None and 0 <= store.bounded <= SHORT_DEQUE


def consumed(model: ScriptModel, store: Store) -> bool:
    """Whether some backward runs through what was accumulated: then keeping the graph is the purpose."""
    kept = {store.product} if store.product else set[int]()
    if store.key[1] == CONTENT:
        kept.add(model.machine.number("content", store.key[0]))
    return is_differentiated(model, kept)


def fails_in(model: ScriptModel, store: Store) -> Loop | None:
    """The loop in which a backward runs through a joined tensor into what an earlier iteration freed."""
    if store.how != "store" or not store.product:
        return None
    for backward in model.trace.backwards.values():
        frees = backward.retain is False and backward.create is False
        if not frees or not backward.fills or backward.unseen:
            continue
        if store.product in model.trace.ancestors(backward.ids):
            again = backward.older.intersection(store.grows)
            return next((loop for loop in reversed(backward.loops) if loop in again), None)
    return None


def may_feed_this_step(model: ScriptModel, store: Store) -> bool:
    """Whether a backward through a joined tensor comes after the value went in, in one iteration."""
    here = program_point(model, store)
    return any(
        store.product in model.trace.ancestors(backward.ids) and here < program_point(model, backward)
        for backward in backwards_beside(model, store.loops)
        if in_one_iteration(store, backward)
    )


def _made_by_sum(model: ScriptModel, number: int, products: set[int]) -> bool:
    """Whether a value is an accumulator of this file, or light arithmetic on one."""
    return not products.isdisjoint(model.trace.ancestors({number}, lightweight_only=True))


def _unreached_counts(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether a graph that no backward frees is kept by mistake here, and not for a caller to use."""
    trace = model.trace
    if not over_batches(trace, loop) or _feeds_forward(model, store, loop):
        return False
    if repeats_runs(loop) and not over_loader(loop):
        return False
    if trace.wants_grad and not _trains_here(model, loop) and _wants_grad(model, store, loop):
        return False
    frames = store.frame.chain()
    if any(EVALUATION_HOOK.match(f.name) for f in frames) and is_managed(model, store.frame):
        return False
    told = evaluates(loop, frames)
    if not told and _trains_out_of_view(model, loop):
        return False
    evidence = told or loop in _evaluating_loops(model)
    wanted = _escapes(model, store) and (not evidence or is_managed(model, store.frame))
    if wanted and not _is_freed_anyway(model, store, loop):
        return False
    if _in_module(frames) and (not over_loader(loop) or isinstance(loop.node, cst.CompFor)):
        return False
    if not _trains_here(model, loop) and _runs_without_grad(model, store, loop):
        return False
    return (
        bool(evidence)
        or not any(f.entry and f.caller is not None for f in frames)
        or _trains_here(model, loop)
    )


def _trains_out_of_view(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop clears gradients and runs no backward that is seen: code out of view runs it, such as a
    loss that steps the optimizer as well, `loss_func(out, y, train=True)`."""
    zeroed = any(loop in zero.loops for zero in model.trace.zeros.values())
    return zeroed and not backwards_in(model, loop)


@cached
def _evaluating_loops(model: ScriptModel) -> set[Loop]:
    """The loops in which a network evaluates, by its mode or by what becomes of its results."""
    found = {loop for f in model.trace.forwards.values() if f.evaluating for loop in f.loops}
    return found | {r.loop for r in recorded(model) if r.loop is not None}


def _is_managed(loop: Loop) -> bool:
    """Whether a framework runs the loop: then other handlers may empty what one of them fills."""
    return isinstance(loop.node, cst.FunctionDef)


def _is_emptied(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether some other hook empties the target; lists of Lightning modules are looked at elsewhere."""
    name = loop.node.name.value if isinstance(loop.node, cst.FunctionDef) else ""
    owner = model.class_of(loop.node)
    if store.how == "store" and BATCH_HOOK.match(name) and (owner is None or owner.bases):
        return True
    if not emptied_anywhere(model, store.target, taking=False):
        return False
    return not (store.how == "sum" and BATCH_HOOK.match(name) and _is_reset_per_epoch(model, store, owner))


def _is_reset_per_epoch(model: ScriptModel, store: Store, owner: cst.ClassDef | None) -> bool:
    """Whether only hooks of its class at the start or the end of an epoch set a sum back."""
    shown = store.target.removeprefix("self.")
    if owner is None or not owner.bases or not shown.isidentifier() or shown == store.target:
        return False
    for names in model.all_names():
        for removal in removals(model, names.module):
            own = store.node in (removal.node, model.parent(removal.node))
            if own or last_name(removal.container) != shown:
                continue
            where = model.function_of(removal.node)
            hook = where.name.value if isinstance(where, cst.FunctionDef) else ""
            if model.class_of(removal.node) is not owner or not (runs_once(hook) or EPOCH_HOOK.match(hook)):
                return False
    return True


def _runs_without_grad(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether another caller runs the forward pass under no_grad, or the other arm of a switch over versions
    does: that is how it is meant."""
    made = model.trace.ancestors(store.ids)
    shelters = protected(model)
    for forward in model.trace.forwards.values():
        if not forward.ids & made:
            continue
        if (id(forward.node), id(loop.node)) in shelters:
            return True
        guarded = is_guarded(model, forward.node, errors=frozenset())
        if guarded and not shelters.isdisjoint(places_of(model, forward, loop)):
            return True
    return False


def _in_module(frames: list[Frame]) -> bool:
    """Whether a method of a network was run on its own: in which grad mode it runs is up to its callers."""
    entry = next((frame for frame in frames if frame.entry), None)
    return entry is not None and isinstance(entry.self_value, Ref) and entry.self_value.obj.kind == "module"


def _feeds_forward(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the target is a state that the next forward pass starts from, not a sum on the side."""
    if not store.product:
        return False
    forwards = (f for f in model.trace.forwards.values() if loop in f.loops)
    return any(store.product in model.trace.ancestors(f.ids) for f in forwards)


@cached
def _trains_here(model: ScriptModel, loop: Loop) -> bool:
    generators = [
        o.obj.node
        for o in options_of(loop.iterates or NONE)
        if isinstance(o, Ref) and o.obj.id in model.trace.generators
    ]
    if backwards_in(model, loop):
        return True
    events = model.trace.backwards.values() if generators else ()
    return any(f.node in generators for b in events for f in b.frame.chain())


def _where_it_trains(model: ScriptModel, store: Store, loop: Loop, status: str) -> str:
    """What becomes of a graph where a flag says whether there are any, `set_grad_enabled(training)`: a value
    with which a backward of the loop begins has one when the step trains. What is kept in the other branch of
    the flag's test has none."""
    if status not in ("unknown", "reached"):
        return status
    around = dict(conditions(model, store, loop))
    beside = [
        backward
        for backward in backwards_in(model, loop)
        if all(around.get(branch, arm) == arm for branch, arm in conditions(model, backward, loop))
    ]
    if status == "reached":
        return status if beside else "unknown"
    freeing = (b for b in beside if b.retain is not True)
    begins = (store.ids & model.trace.ancestors(b.ids, lightweight_only=True) for b in freeing)
    return "reached" if any(begins) else status


def _frees_here(model: ScriptModel, loop: Loop) -> bool:
    """Whether a backward of a loop frees its graph: Hessian-vector products differentiate one that stays."""
    return any(b.retain is not True and b.create is not True for b in backwards_in(model, loop))


def _wants_grad(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the code around differentiates with respect to inputs."""
    function = isinstance(store.frame.node, cst.FunctionDef)
    return wants_input_gradients(model, [store.frame.node if function else loop.node])


def _escapes(model: ScriptModel, store: Store) -> bool:
    content = model.machine.number("content", store.key[0])
    return is_handed_out(model, {content, store.product, *store.ids})


def _is_freed_anyway(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether a backward of each pass frees a part of the graph, through which no caller can run then: what
    one forward pass gives and leaves has the same trunk. A step changes the weights, so it does as much."""
    trace, made = model.trace, model.trace.ancestors(store.ids)
    stepped = any(loop in step.loops for step in trace.steps.values())
    passes = [forward.ids for forward in trace.forwards.values() if not made.isdisjoint(forward.ids)]
    freeing = (
        b for b in backwards_in(model, loop)
        if (b.retain is False or stepped) and b.create is False and in_one_iteration(store, b)
    )  # fmt: skip
    return any(not ids.isdisjoint(trace.ancestors(b.ids)) for b in freeing for ids in passes)


def is_meter(accumulation: LoopAccumulation) -> bool:
    """Whether the value was handed to a method of an object that keeps it; `mean += loss` reads as a sum."""
    called = isinstance(accumulation.site, cst.Call)
    return called and accumulation.through is not None and isinstance(accumulation.through.self_value, Ref)


def variant_of(accumulation: LoopAccumulation) -> str:
    """The rule variant for a status: the default text speaks of graphs that backward freed."""
    return "default" if accumulation.status == "reached" else accumulation.status


_OTHER_LIBRARIES = frozenset({"mindspore", "mxnet"})
"""Libraries of networks that a file may serve beside torch, and whose tensors have other methods."""


def may_be_tensor(model: ScriptModel, accumulation: LoopAccumulation) -> bool:
    """Whether what is kept, and what was handed over for it, has `.detach()` as far as one can see."""
    call = accumulation.site
    if accumulation.through and isinstance(call, cst.Call) and any(arg.star for arg in call.args):
        return False
    if not model.names.imported_roots().isdisjoint(_OTHER_LIBRARIES):
        return False  # the same lines serve all of them
    if is_several(model, accumulation.value_node) or _is_gone_through(model, accumulation.value_node):
        return False
    if not all(isinstance(v, (Tensor, Unknown)) for v in _kept_and_handed(model, accumulation)):
        return False
    return is_surely_tensor(model, accumulation) or _looks_like_tensor(model, accumulation)


def _is_gone_through(model: ScriptModel, value: cst.CSTNode) -> bool:
    """Whether a list takes in the members of what code out of view gave: `counts.extend(found)`."""
    call = model.parent(model.parent(value) or value)
    if not isinstance(call, cst.Call) or last_name(call.func) != "extend":
        return False
    sources = value_sources(model, value) if isinstance(value, cst.BaseExpression) else ()
    return any(source.kind == "item" for source in sources)


def _looks_like_tensor(model: ScriptModel, accumulation: LoopAccumulation) -> bool:
    """Whether the code around a value that is made out of view uses it as a tensor, and as nothing else."""
    node, store = accumulation.value_node, accumulation.store
    if _is_taken_apart(model, accumulation):
        return False
    if isinstance(node, cst.BaseExpression) and is_told_to_be_another(model, node):
        return False
    loose = any(_is_loose(model, v) for v in _kept_and_handed(model, accumulation))
    if store.how == "sum" or not (loose or is_by_unknown_method(model, node)):
        return True
    return is_used_as_tensor(model, node, store.target)


def _is_loose(model: ScriptModel, value: Value) -> bool:
    """Whether a value may be a structure of tensors, or is a member of one."""
    unknown = not isinstance(value, Tensor) or value.opaque
    return unknown or not ids_of(value).isdisjoint(model.trace.unpacked)


def _is_taken_apart(model: ScriptModel, accumulation: LoopAccumulation) -> bool:
    """Whether the code around it, or the helper that keeps a part of it, reads what no tensor has."""
    node, through = accumulation.value_node, accumulation.through
    around = model.function_of(node) or model.module
    if isinstance(node, cst.Name) and takes_apart(model, around, {node.value}):
        return True
    helper = through.node if through is not None else None
    names = set(parameters(helper)) - {"self", "cls"} if isinstance(helper, cst.FunctionDef) else set()
    return helper is not None and takes_apart(model, helper, names)


def is_surely_tensor(model: ScriptModel, accumulation: LoopAccumulation) -> bool:
    """Whether the kept value is a tensor in every execution, so that a method call on it cannot fail, and
    the backward that frees its graph is more than a guess from the name of a function out of view."""
    if _only_guessed(model, accumulation.loop) or is_by_unknown_method(model, accumulation.value_node):
        return False
    roots = model.machine.trace.backward_roots
    return all(
        (isinstance(v, Tensor) and not _is_loose(model, v))
        or (isinstance(v, (Tensor, Unknown)) and bool(v.ids) and v.ids <= roots)
        for v in _kept_and_handed(model, accumulation)
    )


def _only_guessed(model: ScriptModel, loop: Loop) -> bool:
    """Whether nothing but names such as `self.adapt(loss)` says that a backward runs in a loop."""
    here = backwards_in(model, loop)
    return bool(here) and all(b.unseen and isinstance(b.node, cst.Call) for b in here)


def _kept_and_handed(model: ScriptModel, accumulation: LoopAccumulation) -> list[Value]:
    """The kept value, and the argument that brought it where a helper keeps a part of what it is given: of a
    tensor it keeps that, whatever it is given and keeps beside it."""
    handed = model.trace.argument_values.get(accumulation.value_node, []) if accumulation.through else []
    given = [option for value in handed for option in options_of(value)]
    if given and all(isinstance(v, Tensor) and not _is_loose(model, v) for v in given):
        return given
    return [*options_of(accumulation.store.value), *given]
