"""What happened in the abstract run: the events that detectors reason about.

Every event carries the frame it happened in and the loops that were running, outermost first, across
all calls: a `loss.backward()` inside a helper belongs to the loop of its caller.
"""

from __future__ import annotations

from dataclasses import field

import libcst as cst

from memlint.analysis.values import NO_IDS, Cast, Frame, Obj, Value
from memlint.records import dataclass


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
    """A call into code that cannot be seen, which received these objects.

    `reaches`: the networks and optimizers that it has through what it got as well: members of containers,
    parameters, attributes of networks.
    """

    name: str
    objects: frozenset[int]
    reaches: frozenset[int] = NO_IDS


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
