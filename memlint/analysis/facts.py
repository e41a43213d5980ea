"""What happened in the abstract run: the events that detectors reason about.

Every event carries the frame it happened in and the loops that were running, outermost first, across
all calls: a `loss.backward()` inside a helper belongs to the loop of its caller.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.values import NO_IDS, Cast, Frame, Kind, Obj, Value


@dataclass(eq=False, slots=True)
class Loop:
    """One loop statement or comprehension in one calling context."""

    id: int
    node: cst.CSTNode
    frame: Frame
    source: str = ""
    """The code of what it iterates, "" for `while`."""

    iterates: Value | None = None
    """What it goes through, of all runs of the loop."""

    variant: int = 0
    """Tells the passes of a loop that was unrolled over constants from one another."""

    outer: tuple[Loop, ...] = ()
    """The loops that it was started in, outermost first."""


@dataclass(frozen=True, slots=True)
class Region:
    """One activation of an autocast context: its `with` or decorated function, and the loops around it."""

    node: cst.CSTNode
    frame: int
    loops: tuple[Loop, ...]
    cast: Cast


@dataclass(eq=False, slots=True, kw_only=True)
class Event:
    """Where something happened. `regions` are the autocast contexts that were open, outermost first."""

    node: cst.CSTNode
    frame: Frame
    loops: tuple[Loop, ...]
    regions: tuple[Region, ...] = ()


@dataclass(eq=False, slots=True, kw_only=True)
class Forward(Event):
    """A module was called. `grad` is the mode at the call: on, off or maybe.

    `inner` are the autocast contexts that its own code opens.
    `loop_carried` are the loops over which its result comes back as its argument, `state` the identities that
    do; `inside` is the call in the module that takes them up, where the module keeps its state itself.
    """

    module: Value
    grad: str
    ids: frozenset[int]
    evaluating: bool
    own_eval: bool
    recorded: bool
    code: str = ""
    inner: frozenset[Cast] = frozenset()
    loop_carried: set[Loop] = field(default_factory=set)
    state: set[int] = field(default_factory=set)
    inside: cst.CSTNode | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class Backward(Event):
    """Gradients were computed. `fills` is False for `autograd.grad`, which writes no `.grad`.

    `unseen` marks a call into other code that differentiates by its name (`learner.adapt(loss)`), `scaled`
    a loss that went through `GradScaler.scale`. `held` are the variables of the running functions, with
    what they and their contents held at any pass.
    `retain` and `create` say that `retain_graph=` and `create_graph=` are set; None when that is not known.
    `older` are the loops into whose earlier iterations it runs back, or into what was made before them.
    """

    ids: frozenset[int]
    fills: bool
    code: str = ""
    unseen: bool = False
    scaled: bool = False
    retain: bool | None = False
    create: bool | None = False
    older: set[Loop] = field(default_factory=set)
    held: dict[tuple[int, str], LiveVariable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveVariable:
    """A local variable of a running function: its value, and the graph identities in it."""

    frame: Frame
    value: Value
    ids: frozenset[int]


@dataclass(eq=False, slots=True, kw_only=True)
class Criterion(Event):
    """A loss function was called: `inputs` are the identities of its first argument, `ids` of its result,
    `given` of all arguments.

    `path` is its import path, "" for one that is known by its name only.
    """

    path: str
    ids: frozenset[int]
    inputs: frozenset[int]
    given: frozenset[int]


@dataclass(eq=False, slots=True, kw_only=True)
class Step(Event):
    """An optimizer changed its parameters. `fresh` are the loops in whose iteration it was made."""

    optimizer: Obj
    code: str
    through_scaler: bool = False
    fresh: frozenset[int] = NO_IDS


@dataclass(eq=False, slots=True, kw_only=True)
class ScalerCall(Event):
    """A GradScaler was asked to `scale`, `unscale_`, `step` or `update`. `code` is how it is written."""

    name: str
    scaler: Obj
    code: str
    optimizer: Obj | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class GradUse(Event):
    """The size of gradients was limited ("clip") or measured ("norm"), of these modules if known."""

    how: str
    owners: frozenset[int] = NO_IDS


@dataclass(eq=False, slots=True, kw_only=True)
class Zero(Event):
    """Gradients were cleared, of an optimizer or a module (`target`), or of loose parameters (None)."""

    target: Obj | None
    owners: frozenset[int] = NO_IDS


@dataclass(eq=False, slots=True, kw_only=True)
class Called(Event):
    """A call of what is not in the file, in the order of execution.

    `path` is the import path of a function or class of a library, `.name` for a method of anything,
    `#name` for a class of the file, `import x.y` for an import that runs, and `os.environ.__setitem__`
    for an assignment to the environment.
    """

    path: str
    args: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    owner: Value | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class Opaque(Event):
    """A call into code that cannot be seen, which received these objects."""

    name: str
    objects: frozenset[int]


@dataclass(eq=False, slots=True, kw_only=True)
class Draw(Event):
    """Something was iterated by hand: how is "iter" for a new iterator, "next" for an item of one."""

    how: str
    value: Value


@dataclass(eq=False, slots=True, kw_only=True)
class Store(Event):
    """A value was added to something that may outlive the iteration.

    how: "sum" (`acc += v`), "store" (`box.append(v)`, `box[k] = v`). `key` identifies the target,
    `value_node` the expression whose value is kept; `only` the loop with which an index runs. `grows`
    maps each loop over which the target grows to what backward did to the value by the end of an
    iteration: "reached", "retained", "unreached", or "unknown" when it may be no tensor. `within` says that
    the forward pass of a network does it; `frame` is then that of its caller. `fresh` are the loops in whose
    iteration the target was made when the value came to it last.
    """

    how: str
    key: tuple[int, str]
    target: str
    value: Value
    value_node: cst.CSTNode
    ids: frozenset[int]
    product: int = 0
    grad: str = "on"
    bounded: int | None = None
    only: Loop | None = None
    within: bool = False
    fresh: tuple[Loop, ...] = ()
    grows: dict[Loop, str] = field(default_factory=dict)


@dataclass(eq=False, slots=True, kw_only=True)
class Part(Event):
    """A view of a part of a tensor was made from `base`; `born` are the loops in whose iteration that was.

    `every` marks one of many: a row in a loop over all rows, or bounds that are not literal.
    """

    base: cst.BaseExpression
    born: tuple[Loop, ...] = ()
    every: bool = False


@dataclass(eq=False, slots=True, kw_only=True)
class Average(Event):
    """A weighted sum of an old value and a new one, `operand`, that carries a graph.

    `target` is the code of what is averaged; `weights` tells trained parameters from other values, `made`
    the identities of the result.
    """

    target: str
    operand: cst.BaseExpression
    weights: bool
    made: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class Activation:
    """A tensor with a graph that a forward pass assigned to `node`, an attribute of its module `owner`.

    `scalar` says that it has one element, like an auxiliary loss.
    """

    node: cst.Attribute
    owner: Obj
    frame: Frame
    scalar: bool


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

    proved_by_backward: dict[int, frozenset[int]] = field(default_factory=dict)
    """Results of divisions and products -> the operands that a backward through them shows to be tensors;
    filled by `interpret.operators`."""

    unpacked: set[int] = field(default_factory=set)
    """Members of a structure of unknown shape that an assignment unpacked; filled by `interpret.binding`."""

    unknowns: set[int] = field(default_factory=set)
    """Values of which nothing is known, not even that they are tensors; filled by `Machine.unknown`."""

    maybe_detached: set[int] = field(default_factory=set)
    """Results of code out of view, which may have detached what it was given; filled by
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

    # --- what happened to values ------------------------------------------------------------------

    differentiated: set[int] = field(default_factory=set)
    """Values that some backward of the run went through; filled by `interpret.backwards`."""

    backward_roots: set[int] = field(default_factory=set)
    """Those that a backward was called on; filled by `interpret.backwards`."""

    graphless: set[int] = field(default_factory=set)
    """Values without a graph in code that runs, since `.numpy()` is called on them; filled by
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

    def passes(self) -> list[Forward]:
        """All forward passes: calls of modules, and those written by hand."""
        return [*self.forwards.values(), *self.products.values()]
