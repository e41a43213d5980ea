"""The trace of an abstract run: its events, and what it found out about values and objects."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import field

import libcst as cst

from memlint.analysis.facts import (
    Activation,
    Average,
    Backward,
    Called,
    Criterion,
    Draw,
    Event,
    Forward,
    GradUse,
    Loop,
    Opaque,
    Part,
    ScalerCall,
    Step,
    Store,
    Zero,
)
from memlint.analysis.values import NO_IDS, Cast, Frame, Kind, Obj, Value
from memlint.records import dataclass


@dataclass(eq=False, slots=True)
class Trace:
    """All events of a run, each once for its node and calling context, and what it found out about values.

    Tables of events are keyed by `Machine.record`: the identities of the node, of its frame and of the loops
    around it. A value that may carry a graph has an identity, a number that stands for the place in the code
    and the calling context that made it; the sets of numbers below are identities of values or of objects.
    """

    # --- events -----------------------------------------------------------------------------------

    forwards: dict[tuple[int, ...], Forward] = field(default_factory=dict)
    """Calls of modules; filled by `interpret.forwards`."""

    products: dict[tuple[int, ...], Forward] = field(default_factory=dict)
    """Forward passes written by hand, outside of `forward`: products of data with trained parameters, with
    the module whose method it is, else the parameter; filled by `interpret.by_hand`."""

    backwards: dict[tuple[int, ...], Backward] = field(default_factory=dict)
    """`loss.backward()`, `autograd.grad` and the like; filled by `interpret.backwards`."""

    criteria: dict[tuple[int, ...], Criterion] = field(default_factory=dict)
    """Calls of loss functions; filled by `interpret.forwards` and `interpret.library_calls`."""

    steps: dict[tuple[int, ...], Step] = field(default_factory=dict)
    """Optimizer steps; filled by `interpret.optimizer_calls`."""

    zeros: dict[tuple[int, ...], Zero] = field(default_factory=dict)
    """Gradients cleared, by `zero_grad` or by hand; filled by `interpret.optimizer_calls`."""

    opaque_calls: dict[tuple[int, ...], Opaque] = field(default_factory=dict)
    """Calls that hand objects to code out of view; filled by `interpret.unseen`."""

    calls: dict[tuple[int, ...], Called] = field(default_factory=dict)
    """The call trace: calls of libraries, imports, settings of the environment, in the order of execution;
    filled by `interpret.call_trace`."""

    stores: dict[tuple[int, ...], Store] = field(default_factory=dict)
    """Values added in a loop to what may outlive the iteration, keyed as events and by the container;
    filled by `interpret.containers.record_store`."""

    single_stores: dict[tuple[int, ...], Store] = field(default_factory=dict)
    """The same outside of every loop, such as in a hook that a trainer calls."""

    averages: dict[tuple[int, int], Average] = field(default_factory=dict)
    """Weighted sums of an old value and a new one, by the identities of node and frame; filled by
    `interpret.averages`."""

    activations: dict[cst.Attribute, Activation] = field(default_factory=dict)
    """What forward passes leave in attributes of their modules, by the target of the assignment; filled by
    `interpret.activations`, also while function summaries are made."""

    draws: dict[tuple[int, ...], Draw] = field(default_factory=dict)
    """`iter(x)` and `next(it)`; filled by `interpret.containers`."""

    scalers: dict[tuple[int, ...], ScalerCall] = field(default_factory=dict)
    """Calls of a GradScaler's methods; filled by `interpret.optimizer_calls`."""

    grad_uses: dict[tuple[int, ...], GradUse] = field(default_factory=dict)
    """Where gradients are clipped or measured; filled by `interpret.grad_uses`."""

    loops: dict[tuple[int, ...], Loop] = field(default_factory=dict)
    """Every loop that ran, by its own number; filled by `Machine.loop`."""

    loader_calls: dict[int, Event] = field(default_factory=dict)
    """Where each loader was made, by the number of its object; filled by `interpret.library_calls`."""

    # --- objects ----------------------------------------------------------------------------------

    objects: dict[int, Obj] = field(default_factory=dict)
    """All objects of the abstract heap by their number; filled by `Machine.obj`."""

    loaders: dict[int, Obj] = field(default_factory=dict)
    """Those that a `DataLoader(...)` made; filled by `interpret.library_calls`."""

    iterated: dict[int, set[Loop]] = field(default_factory=dict)
    """The loops that went through an object, by its number; filled by `interpret.containers`."""

    generators: set[int] = field(default_factory=set)
    """Objects that calls of generator functions gave; filled by `interpret.functions`."""

    collected: set[int] = field(default_factory=set)
    """Generators that `list(...)` and the like ran to the end; filled by `interpret.library_calls`."""

    frozen: set[int] = field(default_factory=set)
    """Modules whose parameters were given `requires_grad = False`; filled by `interpret.parameters`."""

    # --- reduced precision ------------------------------------------------------------------------

    scaled: set[int] = field(default_factory=set)
    """Values that `GradScaler.scale` gave; filled by `interpret.optimizer_calls`."""

    inner_casts: dict[int, frozenset[Cast]] = field(default_factory=dict)
    """The autocast contexts that a forward opens itself, by the identity of its definition; filled by
    `interpret.forwards`."""

    casts: dict[int, cst.CSTNode] = field(default_factory=dict)
    """The calls that changed the precision of a module, by identity; filled by `interpret.precision`."""

    raised_to_float32: set[int] = field(default_factory=set)
    """Modules that were converted back, or whose parameters are swapped for float32 ones by hand; filled by
    `interpret.precision` and `interpret.parameters`."""

    half_outputs: dict[int, int] = field(default_factory=dict)
    """Results of modules with half parameters: identity of the value -> number of the module; filled by
    `interpret.forwards`."""

    half_steps: dict[tuple[int, int], tuple[str, Obj]] = field(default_factory=dict)
    """(key in `casts`, module) -> (dtype, optimizer) where an optimizer stepped half parameters; filled by
    `interpret.optimizer_calls`."""

    # --- values and what they were computed from --------------------------------------------------

    parents: dict[int, frozenset[int]] = field(default_factory=dict)
    """What each value was computed from, by identity; filled by `Machine.fresh`."""

    made_in: dict[int, Frame] = field(default_factory=dict)
    """The activation that made a value; filled by `Machine.fresh`."""

    lightweight: set[int] = field(default_factory=set)
    """Values that add next to nothing to the graph of their parents: views, sums, what is in a container;
    filled by `Machine.fresh` and `interpret.contents`."""

    elementwise: set[int] = field(default_factory=set)
    """Values that add to the graph of their parents what has their own size: `exp`, `sigmoid`; filled by
    `Machine.tensor`."""

    proved_by_backward: dict[int, frozenset[int]] = field(default_factory=dict)
    """Results of divisions and products -> the operands that a backward through them shows to be tensors;
    filled by `interpret.operators`."""

    unpacked: set[int] = field(default_factory=set)
    """Members of a structure of unknown shape that an assignment unpacked; filled by `interpret.binding`."""

    attribute_owners: dict[int, frozenset[int]] = field(default_factory=dict)
    """The networks that a value is a parameter or another attribute of, by its origin where it is unknown,
    else by its identity: `net.weight`; filled by `interpret.attributes`."""

    unknowns: set[int] = field(default_factory=set)
    """Values of which nothing is known, not even that they are tensors; filled by `Machine.unknown`."""

    made_without_grad: set[int] = field(default_factory=set)
    """Those of them that were made under no_grad; filled by `Machine.unknown`."""

    maybe_detached: set[int] = field(default_factory=set)
    """Results of code out of view, which may have detached what it was given; filled by
    `interpret.unseen`."""

    given_callables: dict[int, tuple[Loop, ...]] = field(default_factory=dict)
    """Results of calling what the code was given, such as a network whose name does not tell, or a function
    out of view with a network and its batch -> the loops around the call; filled by `interpret.calls` and
    `interpret.unseen`."""

    restructured: set[int] = field(default_factory=set)
    """Results of code out of view that gives the members of its arguments in another order; filled by
    `interpret.unseen`."""

    graph_leaves: set[int] = field(default_factory=set)
    """Values with no graph behind them: parameters and data; filled by `Machine.fresh` and
    `interpret.unseen`."""

    environment_answers: set[int] = field(default_factory=set)
    """What `env.step(...)` gave, for an object named like an environment; filled by
    `interpret.optimizer_calls`."""

    parts: dict[int, Part] = field(default_factory=dict)
    """Selections (`t[:, 0]`) by the number that `Tensor.parts` holds; filled by `interpret.selections`."""

    passed_arguments: dict[tuple[int, int], list[tuple[cst.BaseExpression, frozenset[int]]]] = field(
        default_factory=dict
    )
    """(identity of a call, number of the calling frame) -> each argument with the identities in it; filled by
    `interpret.evaluate` and `interpret.assignments`."""

    argument_values: dict[cst.CSTNode, list[Value]] = field(default_factory=dict)
    """What the arguments of calls in loops were, one entry for each time; filled by `interpret.evaluate`."""

    # --- what happened to values ------------------------------------------------------------------

    differentiated: set[int] = field(default_factory=set)
    """Values that some backward of the run went through; filled by `interpret.backwards`."""

    backward_roots: set[int] = field(default_factory=set)
    """Those that a backward was called on; filled by `interpret.backwards`."""

    graphless: set[int] = field(default_factory=set)
    """Values without a graph in code that runs, since arrays are made of them; filled by
    `interpret.tensor_methods`."""

    detached_in_loops: dict[int, set[Loop]] = field(default_factory=dict)
    """Values whose chain of states ends, by `detach` or a new start -> the loops around that; filled by
    `interpret.loop_carried`."""

    escaped: set[int] = field(default_factory=set)
    """Values that a function returned to callers out of view; filled by `interpret.statements`."""

    self_training_forwards: set[int] = field(default_factory=set)
    """Definitions of forwards that run backward themselves, by identity; filled by `interpret.forwards`."""

    checkpointed: dict[int, Kind] = field(default_factory=dict)
    """Calls of `checkpoint`, by identity -> the most that an input carries; filled by
    `interpret.builtin_calls`."""

    wants_grad: bool = False
    """Whether the file asks for gradients of inputs, as attacks do; set by several parts of `interpret`."""

    batch_loops: dict[Loop, bool] = field(default_factory=dict)
    """Whether a loop goes through batches; filled by `training.loops` when the run is over."""

    _children: dict[int, list[int]] | None = None
    """What was computed from each value directly; made when `descendants` is asked first."""

    def passes(self) -> list[Forward]:
        """All forward passes: calls of modules, and those written by hand."""
        return [*self.forwards.values(), *self.products.values()]

    # --- questions to the graph of values -------------------------------------------------------------

    def ancestors(
        self, ids: Iterable[int], *, lightweight_only: bool = False, known: Set[int] = NO_IDS
    ) -> set[int]:
        """The identities themselves and everything they were computed from; `known` is an answer for some of
        them."""
        parents, lightweight, proof = self.parents, self.lightweight, self.proved_by_backward
        seen = set(ids)
        stack = list(seen - known)
        seen |= known
        while stack:
            number = stack.pop()
            if not lightweight_only:
                above = parents.get(number, NO_IDS)
            elif number in lightweight:
                above = proof.get(number) or parents.get(number, NO_IDS)
            else:
                continue
            if fresh := above - seen:
                seen |= fresh
                stack += fresh
        return seen

    def descendants(self, ids: Iterable[int]) -> set[int]:
        """The identities themselves and everything that was computed from them; for a finished run."""
        children = self._children
        if children is None:
            children = self._children = {}
            for number, parents in self.parents.items():
                for parent in parents:
                    children.setdefault(parent, []).append(number)
        seen: set[int] = set()
        stack = list(ids)
        while stack:
            number = stack.pop()
            if number not in seen:
                seen.add(number)
                stack.extend(children.get(number, ()))
        return seen
