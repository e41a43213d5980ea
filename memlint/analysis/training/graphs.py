"""Does a value carry an autograd graph, and why? One answer for every rule that asks.

The interpreter says of each value what it carries (`values.Kind`) and from what it was computed
(`Trace.parents`). `graph_of` puts the reason to that, `is_differentiated` says
whether a backward goes through it, `is_wasted` asks both of a whole forward pass, and
`wants_input_gradients` and `gives_derivatives` find the code that differentiates with respect to inputs,
where a graph is wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import Enum

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.regions import can_be_wrapped
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import uses_of
from memlint.analysis.values import Kind, Ref, Tensor, Value, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import literal, value_of
from memlint.syntax.tree import dotted, last_name


class Why(Enum):
    """Where the graph of a value comes from, or why there is none."""

    NO_TENSOR = "no part of the run made it: a number, a string, a detached tensor"
    READ_AS_NUMBERS = "it is made an array, which raises for a graph: in code that runs there is none"
    ENVIRONMENT = "it is computed from what an environment answered, and from nothing else"
    WEIGHTS = "it is computed from parameters alone: the graph is short, and nothing of a forward is in it"
    FORWARD = "it comes out of a forward pass that built an autograd graph"
    UNSEEN = "memlint cannot see what it is computed from"


CARRYING = frozenset({Why.WEIGHTS, Why.FORWARD})
"""The reasons for a graph; with `UNSEEN` there may be one."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Whether a value carries a graph: the reason, and whether the value itself is known to hold one.

    `forwards` are the passes that it comes out of; empty unless the reason is `FORWARD`.
    """

    why: Why
    certain: bool
    forwards: tuple[Forward, ...] = ()

    @property
    def carried(self) -> bool:
        """Whether there is a graph, as far as the file tells."""
        return self.why in CARRYING


def graph_of(model: ScriptModel, value: Value, ids: frozenset[int]) -> Graph:
    """The graph of a value, whose identities (those in its members included) are `ids`."""
    certain = any(isinstance(v, Tensor) and v.kind is Kind.GRAPH for v in options_of(value))
    why = why_graph(model, ids)
    forwards: tuple[Forward, ...] = ()
    if why is Why.FORWARD:
        forwards = tuple(f for f in passes_among(model, _made_from(model, ids)) if f.recorded)
    return Graph(why, certain, forwards)


def _made_from(model: ScriptModel, ids: frozenset[int]) -> set[int]:
    """The identities and all that they were computed from, going on from the answer before this one: in a
    long function each value may come from all that were asked about before it."""
    last = _asked_last(model)
    if ids not in last:
        before, known = next(iter(last.items()), (frozenset(), set[int]()))
        made = model.trace.ancestors(ids, known=known if before <= ids else frozenset())
        last.clear()
        last[ids] = made
    return last[ids]


@cached
def _asked_last(model: ScriptModel) -> dict[frozenset[int], set[int]]:
    """What `_made_from` was asked last, with its answer."""
    return {}


def passes_among(model: ScriptModel, ids: Iterable[int]) -> list[Forward]:
    """The forward passes that gave one of these values, in the order of the trace."""
    passes = _passes_by_result(model)
    found = {place: f for n in ids for place, f in passes.get(n, ())}
    return [found[place] for place in sorted(found)]


@cached
def _passes_by_result(model: ScriptModel) -> dict[int, list[tuple[int, Forward]]]:
    """The passes, each with its place among all, by the identities of what they gave."""
    found: dict[int, list[tuple[int, Forward]]] = {}
    for place, forward in enumerate(model.trace.passes()):
        for number in forward.ids:
            found.setdefault(number, []).append((place, forward))
    return found


def why_graph(model: ScriptModel, ids: frozenset[int]) -> Why:
    """Where the graph of values with these identities comes from, or why there is none."""
    trace = model.trace
    if not ids:
        return Why.NO_TENSOR
    if ids & trace.graphless or (trace.graphless and _is_made_of_numbers(model, ids)):
        return Why.READ_AS_NUMBERS
    made = _made_from(model, ids)
    if trace.environment_answers and _is_answered(model, ids):
        return Why.ENVIRONMENT
    if not made.isdisjoint(model.forward_ids):
        return Why.FORWARD
    roots = {n for n in made if not trace.parents.get(n)}
    return Why.WEIGHTS if made - roots and roots <= trace.graph_leaves else Why.UNSEEN


def _is_made_of_numbers(model: ScriptModel, ids: frozenset[int]) -> bool:
    """Whether values are made of nothing but tensors that NumPy reads: members of `zip(*values)`."""
    trace, seen, pending = model.trace, set[int](), list(ids)
    while pending:
        number = pending.pop()
        if number in seen or number in trace.graphless:
            continue
        seen.add(number)
        parents = trace.parents.get(number)
        if not parents or number in model.forward_ids:
            return False
        pending += parents
    return True


def _is_answered(model: ScriptModel, ids: frozenset[int]) -> bool:
    """Whether values are computed from nothing but what an environment answered.

    An answer to an action without a graph carries none, whatever the action was computed from.
    """
    trace, seen, pending = model.trace, set[int](), list(ids)
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        answer = number in trace.environment_answers
        if answer and trace.ancestors((number,)).isdisjoint(model.forward_ids):
            continue
        parents = trace.parents.get(number)
        if not parents and not answer:
            return False
        pending += parents or ()
    return True


def is_differentiated(model: ScriptModel, ids: Collection[int]) -> bool:
    """Whether some backward of the run goes through one of these values."""
    return not model.trace.differentiated.isdisjoint(ids)


def is_handed_out(model: ScriptModel, ids: Collection[int]) -> bool:
    """Whether a caller out of view gets one of these values, and may run backward through it."""
    return not model.trace.escaped.isdisjoint(ids)


def gets_out(model: ScriptModel, ids: Collection[int]) -> bool:
    """Whether a caller out of view gets one of these values or something that was computed from them."""
    return not _handed_out(model).isdisjoint(ids)


@cached
def _handed_out(model: ScriptModel) -> set[int]:
    """What callers out of view get, and all that it was computed from."""
    return model.trace.ancestors(model.trace.escaped)


def may_be_differentiated(model: ScriptModel, ids: Collection[int]) -> bool:
    """Whether some backward goes through one of these values, or a caller out of view gets one."""
    return is_differentiated(model, ids) or is_handed_out(model, ids)


def trains_through(model: ScriptModel, region: cst.CSTNode, network: Forward | None = None) -> bool:
    """Whether a backward runs through what the code of a region makes: under no_grad the region would cut it.

    With `network` only what is made of parameters and of other forward passes is asked for.
    """
    trace = model.trace
    nodes = set(model.walk(region))
    called = {n for n, frame in trace.made_in.items() if any(f.call in nodes for f in frame.chain())}
    made = (model.machine.made_at(nodes) | called) & trace.differentiated
    if network is None or not made:
        return bool(made)
    sources = trace.graph_leaves - trace.unknowns
    for forward in trace.passes():
        if forward.recorded and forward.grad != "off" and forward.node is not network.node:
            sources |= forward.ids
    return bool(made & trace.descendants(sources))


def can_do_without_graph(model: ScriptModel, region: Sequence[cst.CSTNode]) -> bool:
    """Whether statements may go under `no_grad` or the like as far as the file tells: no backward runs
    through what they make, and they are not the forward pass of a network, which others train."""
    if not can_be_wrapped(model, region) or any(trains_through(model, part) for part in region):
        return False
    function, owner = model.function_of(region[0]), model.class_of(region[0])
    return owner is None or function is None or function.name.value not in _TRAINED_METHODS


_TRAINED_METHODS = frozenset({"forward", "training_step", "compute_loss"})


def is_wasted(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward pass builds an autograd graph that no backward of the run goes through."""
    if forward.grad != "on" or not forward.recorded or is_differentiated(model, forward.ids):
        return False
    return forward.ids.isdisjoint(model.trace.graphless)


# --- gradients of inputs ----------------------------------------------------------------------------------

_SWITCHES = frozenset({"requires_grad_", "retain_grad", "requires_grad"})
_TRANSFORMS = frozenset({"autograd", "jacobian", "hessian", "vjp", "jvp"})
_DIFFERENTIATING = frozenset({"grad", "backward", "functional", "forward_ad", "gradcheck", "gradgradcheck"})


def wants_input_gradients(
    model: ScriptModel, scopes: Iterable[cst.CSTNode], apart: frozenset[cst.CSTNode] = frozenset()
) -> bool:
    """Whether code differentiates with respect to inputs, as attacks, saliency maps and penalties do, outside
    of the blocks that are `apart`."""
    lines = (node for scope in scopes for node in _such_lines(model, scope))
    return any(not apart or apart.isdisjoint(model.ancestors(node)) for node in lines)


def gives_derivatives(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a network differentiates as it runs: it is asked for forces, or its result has them."""
    if not isinstance(node, cst.Call):
        return False
    keywords = ((arg.keyword.value, arg.value) for arg in node.args if arg.keyword is not None)
    if any(hints.ASKS_FOR_DERIVATIVE.search(word) and not _is_false(value) for word, value in keywords):
        return True
    line = model.parent(node)
    name = dotted(line.targets[0].target) if isinstance(line, cst.Assign) else ""
    read = model.every(cst.Subscript, model.function_of(node) or model.module) if name else ()
    return any(dotted(part.value) == name and _is_derivative(part) for part in read)


def _is_derivative(node: cst.Subscript) -> bool:
    index = node.slice[0].slice
    key = literal(index.value) if isinstance(index, cst.Index) else None
    return isinstance(key, str) and bool(hints.DERIVATIVE.search(key))


@cached
def _such_lines(model: ScriptModel, scope: cst.CSTNode) -> list[cst.CSTNode]:
    return [node for node in model.walk(scope) if _asks_for_grad(model, node)]


def _asks_for_grad(model: ScriptModel, node: cst.CSTNode) -> bool:
    if type(node) is cst.Attribute and node.attr.value == "grad_fn":
        return True
    if type(node) is cst.Attribute and node.attr.value in _SWITCHES and not _is_of_parameter(model, node):
        above = model.parent(node)
        if isinstance(above, cst.Call):
            return not (above.args and _is_false(above.args[0].value))
        whole = model.parent(above) if isinstance(above, cst.AssignTarget) else None
        return isinstance(whole, cst.Assign) and not _is_false(whole.value)
    if type(node) is cst.Arg and node.keyword is not None:
        return node.keyword.value in ("requires_grad", "create_graph") and not _is_false(node.value)
    if type(node) is cst.Name and (
        hints.ATTRIBUTION.match(node.value) or hints.DIFFERENTIATES.search(node.value)
    ):
        return True
    if type(node) is not cst.Name or node.value not in _TRANSFORMS:
        return False
    # `torch.autograd` is also where `Variable`, `no_grad` and the profiler live.
    above = model.parent(node)
    path = above if type(above) is cst.Attribute and above.attr is node else node
    member = model.parent(path)
    within = member.attr.value if type(member) is cst.Attribute and member.value is path else ""
    return node.value != "autograd" or within in _DIFFERENTIATING


def _is_of_parameter(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether an attribute is that of a network's parameter: `p` in `for p in net.head.parameters():`."""
    if type(node.value) is not cst.Name:
        return False
    loops = (above for above in model.ancestors(node) if type(above) is cst.For)
    return any(
        type(loop.iter) is cst.Call
        and last_name(loop.iter.func) in ("parameters", "named_parameters")
        and node.value.value in model.names_in(loop.target)
        for loop in loops
    )


def may_give_forces(model: ScriptModel, forward: Forward) -> bool:
    """Whether a network whose forward pass is out of view may differentiate the energy of atoms in it."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if any(module.cls is not None and module.cls.find("forward") for module in modules):
        return False
    return _speaks_of_forces(model) and not _gives_classes(model, forward)


@cached
def _speaks_of_forces(model: ScriptModel) -> bool:
    """Whether the code of a file, not its comments, has to do with atoms and the forces on them."""
    keys = {str(value_of(node)) for node in model.names.every(cst.SimpleString)}
    members = {node.attr.value for node in model.names.every(cst.Attribute)}
    words = keys | model.identifiers
    forces = "force" in keys | members or any(map(hints.FORCES.match, words))
    return forces and any(map(hints.ATOMS.match, words))


def _gives_classes(model: ScriptModel, forward: Forward) -> bool:
    """Whether the result of a forward pass is taken for scores of classes: no energy is."""
    for use in uses_of(model, forward.node):
        called = use.node.func if isinstance(use.node, cst.Call) else None
        if use.how in ("argument", "method") and called is not None and last_name(called) in _OF_CLASSES:
            return True
    judged = (c for c in model.trace.criteria.values() if c.inputs & forward.ids)
    return any(c.path.rpartition(".")[2] in _OF_CLASSES for c in judged)


_OF_CLASSES = frozenset(
    "argmax softmax log_softmax topk cross_entropy nll_loss binary_cross_entropy_with_logits"
    " CrossEntropyLoss NLLLoss BCEWithLogitsLoss".split()
)
"""Functions, methods and losses that take scores of classes."""


def _is_false(node: cst.BaseExpression) -> bool:
    return type(node) is cst.Name and node.value == "False"
