"""One abstract run of a file: identities, variables, heap, loops, and the trace being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TypeVar

import libcst as cst

from memlint.analysis.facts import Event, Loop, Region
from memlint.analysis.interpret.limits import (
    CROSS_MODULE_FUEL,
    FUEL,
    MOST_LINKS,
    TIMELESS,
    TooManyLinksError,
)
from memlint.analysis.interpret.parts import Args, Effect, Elsewhere, Keywords, Parts, Spelling
from memlint.analysis.interpret.state import CONTENT, Key, Slot, State
from memlint.analysis.trace import Trace
from memlint.analysis.values import (
    NO_IDS,
    Cast,
    Class,
    Frame,
    Function,
    Kind,
    Obj,
    Tensor,
    Unknown,
    Value,
    join,
    united,
)
from memlint.project.base_calls import OwnCalls
from memlint.records import dataclass
from memlint.syntax.names import Names

E = TypeVar("E", bound=Event)


@dataclass(slots=True)
class Machine:
    """One abstract run of a file: where it is now, what it has stored and made, what it has found out.

    A function summary is the result and the effects of a method that is run once for each kind of argument;
    while one is made, `quiet` is not 0 and no event is written.
    """

    names: Names
    """Those of the module whose code is running; `home` has the file's own."""

    code: Callable[[cst.CSTNode], str]
    """The source of a node, as written."""

    parts: Parts[Machine]
    """The parts of the interpreter that call one another."""

    elsewhere: Elsewhere[Machine] | None = None
    """Where imports may lead; None for a file without a project."""

    state: State | None = field(default_factory=State)
    """What holds here; None behind `return`, `break` and the like."""

    trace: Trace = field(default_factory=Trace)
    """The events written so far."""

    # --- where the run is -------------------------------------------------------------------------

    loops: tuple[Loop, ...] = ()
    """The loops running now, outermost first, across all calls."""

    variants: tuple[int, ...] = ()
    """Which pass each unrolled loop around is in."""

    quiet: int = 0
    """How many function summaries or imported definitions are being run; events are written at 0 only."""

    regions: tuple[Region, ...] = ()
    """The autocast contexts that are open."""

    met_casts: set[Cast] = field(default_factory=set)
    """Those that were opened since the present summary was begun; read by `forwards`."""

    fuel: int = FUEL
    """Statements that may still be run."""

    cross_module_fuel: int = field(default_factory=lambda: CROSS_MODULE_FUEL)
    """Statements of other modules that may be run beyond these."""

    links: int = 0
    """How many values the values that were made so far are made from."""

    gave_up: bool = False
    """Whether the run came to no end, for too many links, and has no event."""

    left_out: list[cst.FunctionDef] = field(default_factory=list)
    """Functions that nothing called and for which no fuel was left, in no order; filled by `script`."""

    in_cross_module: bool = False
    """Whether a function or definition of another module is running, or what it has called."""

    home: Names = field(init=False)
    """The names of the file that is checked."""

    frame: Frame = field(init=False)
    """The activation that is running."""

    breaks: list[list[State]] = field(default_factory=list)
    """For each running loop, innermost last, the states that wait at its end."""

    continues: list[list[State]] = field(default_factory=list)
    """For each running loop the states that wait for its next pass."""

    returns: list[list[tuple[State, Value]]] = field(default_factory=list)
    """For each running function the states in which it returns, with what it gives."""

    yields: list[Obj | None] = field(default_factory=list)
    """For each running function the object that holds what it yields, None where it is no generator."""

    entering: bool = False
    """Whether the next call is one that nothing in the file makes: its frame becomes an entry."""

    sticky_grad: bool = False
    """Whether the running function has switched grad mode for good, by `torch.set_grad_enabled(False)`."""

    quiet_backward: bool = False
    """Whether a backward ran while the present summary was made; read by `forwards`."""

    answered: set[int] = field(default_factory=set)
    """Tests for None and for the first turn, by identity, that were sure in the running turn of a loop;
    filled by `evaluate` and `first_turns`, read by `statements`."""

    # --- what was found out once ------------------------------------------------------------------

    visited: set[int] = field(default_factory=set)
    """Definitions of functions that have run, by the identity of their node."""

    inferred: set[int] = field(default_factory=set)
    """Identities of results of methods for inference that are out of view, such as `generate`."""

    wrapped_off: frozenset[str] = frozenset()
    """Functions that are wrapped in no_grad after their definition; found by `script`."""

    module_names: frozenset[str] = frozenset()
    """Names on which the file calls what only modules have, such as `.eval()`; found by `script`."""

    module_places: frozenset[tuple[str, int]] = frozenset()
    """The attributes and names, these with the identity of their scope, on which it does so; by `script`."""

    agent_names: frozenset[str] = frozenset()
    """Names of policies that the file uses like objects around a network, `.reset()`; found by `script`."""

    imported_objects: frozenset[str] = frozenset()
    """Imported names that the file uses like networks, loaders and optimizers; found by `script`."""

    module_containers: frozenset[str] = frozenset()
    """Names of containers whose elements are used like modules, `nets[k].eval()`; found by `script`."""

    declared: dict[int, dict[str, str]] = field(default_factory=dict)
    """Names that a definition declares global or nonlocal, by the identity of the definition."""

    called_on_self: dict[int, frozenset[str]] = field(default_factory=dict)
    """The methods that a method or a class calls on `self`, by the identity of its statement; filled by
    `script`."""

    generators: dict[int, bool] = field(default_factory=dict)
    """Whether a definition is that of a generator, by its identity."""

    constants: dict[int, Value] = field(default_factory=dict)
    """The values of literals, by the identity of the node."""

    assigned: dict[int, dict[str, list[cst.BaseExpression]]] = field(default_factory=dict)
    """What the assignments of a scope give to each dotted name, by the identity of the scope."""

    classes: dict[int, Class] = field(default_factory=dict)
    """Classes that were defined, by the identity of their statement."""

    completed_by: dict[int, Class] = field(default_factory=dict)
    """The first class of the file that derives from a class, by the identity of what is known of the base."""

    spellings: dict[int, Spelling] = field(default_factory=dict)
    """What the code of a class says about weights, by the identity of its statement; read by `weights`."""

    names_a_switch: dict[int, bool] = field(default_factory=dict)
    """Whether a class has a word that switches gradients off, by the identity of its statement; filled by
    `script`."""

    own_calls: dict[int, OwnCalls] = field(default_factory=dict)
    """What the methods of a class call on itself, by the identity of its statement; read by `script`."""

    symbolic_instances: dict[int, Value] = field(default_factory=dict)
    """The one object of each class that nothing in the file makes, by the identity of its `ClassInfo`."""

    configured: dict[int, Value] = field(default_factory=dict)
    """What `configure_optimizers` of a LightningModule gives, by the number of the module."""

    hooks: dict[int, list[Function]] = field(default_factory=dict)
    """What `register_forward_hook` was given on a module or a part of it, by the number of the module; filled
    and read by `forward_hooks`."""

    part_trains: bool = False
    """Whether a hook that runs backward is on a layer, and nothing shows of what it is a part; as `hooks`."""

    last_vars: dict[Key, Slot] = field(default_factory=dict)
    """The variables where the top level was left early (`sys.exit()`): what was defined by then stays."""

    # --- function summaries -----------------------------------------------------------------------

    summaries: dict[tuple[object, ...], Value] = field(default_factory=dict)
    """The result of a method for each kind of call, by the key that `forwards` makes."""

    summary_state: dict[tuple[object, ...], dict[Key, cst.CSTNode]] = field(default_factory=dict)
    """The attributes in which a summarised method keeps state from call to call, each with its call."""

    effects: list[Effect] = field(default_factory=list)
    """What the method whose summary is being made has stored so far."""

    summary_left: dict[tuple[object, ...], dict[Key, Value]] = field(default_factory=dict)
    """The attributes to which each of these calls gives a tensor with a graph, or a dictionary or list of
    such, that no other one takes up."""

    summary_effects: dict[tuple[object, ...], list[Effect]] = field(default_factory=dict)
    """What each summarised method stores in containers older than the call."""

    carried_state: dict[Key, cst.CSTNode] = field(default_factory=dict)
    """Attributes through which the method whose summary is being made hands state to its next call."""

    # --- the age of values ------------------------------------------------------------------------

    clock: int = 0
    """Ticks with every value that is made."""

    ages: dict[int, int] = field(default_factory=dict)
    """When the oldest part of a value was made, by identity; `TIMELESS` for leaves and data."""

    born: dict[int, int] = field(default_factory=dict)
    """When a value was made last, by identity."""

    heads: list[tuple[Loop | None, int, int]] = field(default_factory=list)
    """Loops in their second pass (None: a summarised method that runs again), with the times at which it and
    the first pass began."""

    turns: dict[Loop, int] = field(default_factory=dict)
    """The turn in which each loop is that is run several times."""

    told_first: set[Loop] = field(default_factory=set)
    """Loops with a test that holds in their first turn only; filled by `first_turns`."""

    stores_in: dict[Loop, list[tuple[int, ...]]] = field(default_factory=dict)
    """The keys in `Trace.stores` of what a loop stores."""

    _numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    _objects: dict[tuple[object, ...], Obj] = field(default_factory=dict)
    _frames: dict[tuple[object, ...], Frame] = field(default_factory=dict)
    _entered: dict[int, list[Frame]] = field(default_factory=dict)
    _loops: dict[tuple[object, ...], Loop] = field(default_factory=dict)
    _members: dict[int, dict[str, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home = self.names

    # --- the parts of the interpreter ---------------------------------------------------------

    def invoke(self, function: Function, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        """Call a function of the file."""
        return self.parts.invoke(self, function, args, keywords, node)

    def call(self, value: Value, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        """Call anything."""
        return self.parts.call(self, value, args, keywords, node)

    def evaluate(self, node: cst.BaseExpression) -> Value:
        """The value of an expression."""
        return self.parts.evaluate(self, node)

    def symbolic_instance(self, value: Class) -> Value:
        """An object of a class that nothing makes."""
        return self.parts.symbolic_instance(self, value)

    def decorate(self, function: Function, definition: cst.FunctionDef) -> Value:
        """A function with its decorators applied."""
        return self.parts.decorate(self, function, definition)

    def imported(self, dotted: str) -> Value | None:
        """What an import path stands for in another module of the project; None for all else."""
        return self.elsewhere.imported(self, dotted) if self.elsewhere is not None else None

    def bound(self, frame: Frame, name: str) -> Value | None:
        """What the top level of another module binds a name to; None when it binds none."""
        return self.elsewhere.bound(self, frame, name) if self.elsewhere is not None else None

    def detached_results(self, called: str | Frame | None, name: str) -> tuple[bool, ...]:
        """Which results of a function of another module, which is not run, have left their graph."""
        return self.elsewhere.detached_results(self, called, name) if self.elsewhere is not None else ()

    # --- identities ---------------------------------------------------------------------------

    def number(self, *key: object) -> int:
        """A small integer that stands for `key`, the same for the same key."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers) + 1
        return found

    def here(self, node: cst.CSTNode | None, *tag: object) -> int:
        """The identity of what `node` makes in the present calling context."""
        return self.number(id(node), self.frame.id, self.variants, *tag)

    def made_at(self, nodes: Iterable[cst.CSTNode]) -> set[int]:
        """The identities of what these nodes make, in every calling context."""
        wanted = {id(node) for node in nodes}
        return {number for key, number in self._numbers.items() if key[0] in wanted}

    def obj(self, kind: str, node: cst.CSTNode | None, *tag: object, **attributes: object) -> Obj:
        """The heap object that `node` makes in the present context; made once, then the same."""
        key = (id(node), self.frame.id, self.variants, kind, *tag)
        found = self._objects.get(key)
        if found is None:
            found = Obj(self.number("obj", *key), kind, node, **attributes)  # type: ignore[arg-type]
            self._objects[key] = self.trace.objects[found.id] = found
        return found

    def enter(self, call: cst.CSTNode | None, node: cst.CSTNode, lexical: Frame | None, name: str) -> Frame:
        """The frame for calling `node` from `call` in the present context."""
        here = (self.frame.id, self.variants) if hasattr(self, "frame") else (0, ())
        key = (id(call), *here, id(node))
        found = self._frames.get(key)
        if found is None:
            caller = self.frame if hasattr(self, "frame") else None
            found = Frame(self.number("frame", *key), node, lexical, caller, call, name)
            if lexical is not None and lexical.cross_module:
                found.cross_module, found.names = True, lexical.names
            self._frames[key] = found
            self._entered.setdefault(id(call), []).append(found)
        return found

    def loop(self, node: cst.CSTNode, variant: int, source: str, iterates: Value | None) -> Loop:
        """The loop object of a loop statement in the present context."""
        key = (id(node), self.frame.id, self.variants, variant)
        found = self._loops.get(key)
        if found is None:
            found = Loop(self.number("loop", *key), node, self.frame, source, iterates, variant, self.loops)
            self._loops[key] = found
        found.iterates = (
            iterates if found.iterates is None else join(found.iterates, iterates or found.iterates)
        )
        if not self.quiet:
            self.trace.loops[(found.id,)] = found
        return found

    def walk(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """A node and everything below it, of the running module or of one that called into it."""
        for frame in self.frame.chain():
            names = frame.names or self.home
            if node in names.preorder.position:
                return names.walk(node)
        return self.names.walk(node)

    def frames_of(self, node: cst.CSTNode) -> list[Frame]:
        """All activations of a function, in the order in which they were first made."""
        return [frame for frame in self._frames.values() if frame.node is node]

    def entered_by(self, call: cst.CSTNode) -> cst.FunctionDef | None:
        """The one function that a call ran, None where it ran none that is in view, or several."""
        found = {frame.node for frame in self._entered.get(id(call), ())}
        function = found.pop() if len(found) == 1 else None
        return function if isinstance(function, cst.FunctionDef) else None

    # --- values -------------------------------------------------------------------------------

    def tensor(
        self,
        kind: Kind,
        node: cst.CSTNode | None,
        parents: frozenset[int] = NO_IDS,
        *tag: object,
        opaque: bool = False,
        lightweight: bool = False,
        elementwise: bool = False,
    ) -> Tensor:
        """A new tensor made here from tensors with the identities `parents`."""
        if kind < Kind.MAYBE:
            return Tensor(kind, NO_IDS, opaque)
        number = self.fresh(node, parents, *tag, lightweight=lightweight)
        if elementwise:
            self.trace.elementwise.add(number)
        return Tensor(kind, frozenset((number,)), opaque)

    def unknown(
        self,
        node: cst.CSTNode | None,
        parents: frozenset[int] = NO_IDS,
        *,
        lightweight: bool = False,
        hint: str = "",
    ) -> Unknown:
        """A new value of which nothing is known, made here."""
        number = self.fresh(node, parents, "unknown", lightweight=lightweight)
        self.trace.unknowns.add(number)
        if not parents or (lightweight and all(self.ages.get(p) == TIMELESS for p in parents)):
            self.ages[number] = TIMELESS
        if hint == "data":
            self.trace.graph_leaves.add(number)
        if self.state is not None and self.state.grad == "off":
            self.trace.made_without_grad.add(number)
        return Unknown(frozenset((number,)), number, hint)

    def fresh(
        self, node: cst.CSTNode | None, parents: frozenset[int], *tag: object, lightweight: bool = False
    ) -> int:
        """A graph identity made here; what an earlier iteration did to it is forgotten.

        Raises:
            TooManyLinksError: there are too many values behind those of this file to follow them.
        """
        self.links += len(parents)
        if self.links > MOST_LINKS:
            raise TooManyLinksError
        number = self.here(node, "value", *tag)
        trace = self.trace
        known = trace.parents.get(number, NO_IDS)
        trace.made_in[number] = self.frame
        trace.parents[number] = united(known, parents - {number} if number in parents else parents)
        if lightweight:
            trace.lightweight.add(number)
        self.clock += 1
        self.born[number] = self.clock
        ages = self.ages
        ages[number] = min([self.clock, *[ages[p] for p in parents if p in ages]])
        if "leaf" in tag:
            ages[number] = TIMELESS
            trace.graph_leaves.add(number)
        state = self.state
        if state is not None and (number in state.reached or number in state.retained):
            state.reached -= {number}
            state.retained -= {number}
            state.proved -= {number}
        return number

    # --- variables and heap -------------------------------------------------------------------

    def read(self, key: Key) -> Value | None:
        """The value of a slot, None when nothing was stored."""
        assert self.state is not None
        slot = self.state.vars.get(key)
        return slot[0] if slot is not None else None

    def write(self, key: Key, value: Value, *, keep_birth: bool = False) -> None:
        """Store a value; unless `keep_birth`, the slot begins a new life in the current iteration."""
        assert self.state is not None
        old = self.state.vars.get(key)
        born = self.loops
        if keep_birth:
            # What was never seen to be made (an attribute set elsewhere) is older than every loop.
            slot = old or self.state.vars.get((key[0], "#born"))
            born = slot[1] if slot is not None else ()
        self.state.put(key, (value, born))
        self._members.setdefault(key[0], {})[key[1]] = None

    def variables(self, frame: Frame) -> list[tuple[Key, Value]]:
        """The variables of a running function that are assigned, in the order in which they first were."""
        assert self.state is not None
        slots = self.state.vars
        keys = ((frame.id, name) for name in self._members.get(frame.id, ()))
        return [(key, slots[key][0]) for key in keys if key in slots]

    def entries(self, obj: Obj) -> list[tuple[str, Value]]:
        """Everything stored under an object: `[]` elements, `[key]` entries and `.attribute` values."""
        assert self.state is not None
        found = []
        for name in sorted(self._members.get(obj.id, ())):
            slot = self.state.vars.get((obj.id, name))
            if slot is not None:
                found.append((name, slot[0]))
        return found

    def content(self, obj: Obj) -> Value | None:
        """The join of all elements of a container."""
        return self.read((obj.id, CONTENT))

    def put(self, obj: Obj, value: Value) -> None:
        """Add a value to the elements of a container."""
        assert self.state is not None
        old = self.content(obj)
        self.write((obj.id, CONTENT), value if old is None else join(old, value))
        born = self.state.vars.get((obj.id, "#born"))
        key = (obj.id, CONTENT)
        self.state.put(key, (self.state.vars[key][0], born[1] if born else ()))

    def attribute(self, obj: Obj, name: str) -> Value | None:
        """The value of `obj.name`, as far as it was stored."""
        return self.read((obj.id, "." + name))

    # --- events -------------------------------------------------------------------------------

    def record(self, table: dict[tuple[int, ...], E], event: E, *tag: int) -> E | None:
        """Write an event down once for its place and context; not while a function summary is being made.

        The event in the table is given back, which is the one of the first pass.
        """
        if self.quiet:
            return None
        event.regions = self.regions
        key = (id(event.node), event.frame.id, *(loop.id for loop in event.loops), *tag)
        return table.setdefault(key, event)
