"""The state of an abstract run: variables, heap, loops, grad mode, and the trace being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis import guesses
from memlint.analysis.facts import Backward, Event, Keep, Loop, Trace
from memlint.analysis.names import Names
from memlint.analysis.values import (
    NO_IDS,
    Choice,
    Class,
    Context,
    Frame,
    Function,
    Items,
    Kind,
    Obj,
    Params,
    Ref,
    Tensor,
    Unknown,
    Value,
    ids_of,
    join,
)

Key = tuple[int, str]
Slot = tuple[Value, tuple[Loop, ...]]
CONTENT = "[]"
FUEL = 60_000
DEPTH = 14


@dataclass(slots=True)
class State:
    """What holds at one point of the run.

    `reached`, `retained` and `proved` are the graph identities that a backward of the current iteration
    ran through, ran through with the graph kept, and thereby showed to be tensors; `pending` are the
    accumulations of this iteration; `evals` the modules that are in evaluation mode for sure.
    """

    vars: dict[Key, Slot] = field(default_factory=dict)
    grad: str = "on"
    reached: frozenset[int] = NO_IDS
    retained: frozenset[int] = NO_IDS
    proved: frozenset[int] = NO_IDS
    evals: frozenset[int] = NO_IDS
    pending: frozenset[tuple[int, ...]] = frozenset()

    def copy(self) -> State:
        """An independent copy for another path."""
        return State(
            dict(self.vars), self.grad, self.reached, self.retained, self.proved, self.evals, self.pending
        )


def merge(states: Iterable[State | None]) -> State | None:
    """The state after paths meet; None when none of them gets there."""
    alive = [s for s in states if s is not None]
    if not alive:
        return None
    result = alive[0].copy() if len(alive) > 1 else alive[0]
    for other in alive[1:]:
        _merge_vars(result.vars, other.vars)
        result.grad = result.grad if result.grad == other.grad else "maybe"
        result.reached |= other.reached
        result.retained |= other.retained
        result.proved |= other.proved
        result.evals &= other.evals
        result.pending |= other.pending
    return result


def _merge_vars(mine: dict[Key, Slot], theirs: dict[Key, Slot]) -> None:
    for key, slot in theirs.items():
        present = mine.get(key)
        if present is None:
            mine[key] = slot
        elif present is not slot:
            born = _common(present[1], slot[1])
            mine[key] = (join(present[0], slot[0]), born)


def _common(a: tuple[Loop, ...], b: tuple[Loop, ...]) -> tuple[Loop, ...]:
    if a is b:
        return a
    shared = []
    for x, y in zip(a, b, strict=False):
        if x is not y:
            break
        shared.append(x)
    return tuple(shared)


@dataclass(slots=True)
class Machine:
    """One abstract run of a file."""

    names: Names
    code: Callable[[cst.CSTNode], str]
    invoke: Callable[[Function, list[Value], dict[str, Value], cst.CSTNode], Value]
    call: Callable[[Value, list[Value], dict[str, Value], cst.CSTNode], Value]
    evaluate: Callable[[cst.BaseExpression], Value]
    specimen: Callable[[Class], Value]
    decorate: Callable[[Function, cst.FunctionDef], Value]
    state: State | None = field(default_factory=State)
    trace: Trace = field(default_factory=Trace)
    loops: tuple[Loop, ...] = ()
    variants: tuple[int, ...] = ()
    quiet: int = 0
    fuel: int = FUEL
    frame: Frame = field(init=False)
    breaks: list[list[State]] = field(default_factory=list)
    continues: list[list[State]] = field(default_factory=list)
    returns: list[list[tuple[State, Value]]] = field(default_factory=list)
    yields: list[Obj | None] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)
    sticky_grad: bool = False
    wrapped_off: frozenset[str] = frozenset()
    module_names: frozenset[str] = frozenset()
    entering: bool = False
    quiet_backward: bool = False
    declared: dict[int, dict[str, str]] = field(default_factory=dict)
    generators: dict[int, bool] = field(default_factory=dict)
    constants: dict[int, Value] = field(default_factory=dict)
    specimens: dict[int, Value] = field(default_factory=dict)
    classes: dict[int, Class] = field(default_factory=dict)
    last_vars: dict[Key, Slot] = field(default_factory=dict)
    templates: dict[tuple[object, ...], Value] = field(default_factory=dict)
    _numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    _objects: dict[tuple[object, ...], Obj] = field(default_factory=dict)
    _frames: dict[tuple[object, ...], Frame] = field(default_factory=dict)
    _loops: dict[tuple[object, ...], Loop] = field(default_factory=dict)
    _members: dict[int, set[str]] = field(default_factory=dict)

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
            self._frames[key] = found
        return found

    def loop(self, node: cst.CSTNode, variant: int, source: str, iterates: Value | None) -> Loop:
        """The loop object of a loop statement in the present context."""
        key = (id(node), self.frame.id, self.variants, variant)
        found = self._loops.get(key)
        if found is None:
            found = Loop(self.number("loop", *key), node, self.frame, source, iterates, variant)
            self._loops[key] = found
        found.iterates = (
            iterates if found.iterates is None else join(found.iterates, iterates or found.iterates)
        )
        if not self.quiet:
            self.trace.loops[(found.id,)] = found
        return found

    # --- values -------------------------------------------------------------------------------

    def tensor(
        self,
        kind: Kind,
        node: cst.CSTNode | None,
        parents: frozenset[int] = NO_IDS,
        *tag: object,
        opaque: bool = False,
        light: bool = False,
    ) -> Tensor:
        """A new tensor made here from tensors with the identities `parents`."""
        if kind < Kind.MAYBE:
            return Tensor(kind, NO_IDS, opaque)
        return Tensor(kind, frozenset((self.fresh(node, parents, *tag, light=light),)), opaque)

    def unknown(
        self,
        node: cst.CSTNode | None,
        parents: frozenset[int] = NO_IDS,
        *,
        light: bool = False,
        hint: str = "",
    ) -> Unknown:
        """A new value of which nothing is known, made here."""
        number = self.fresh(node, parents, "unknown", light=light)
        self.trace.unknowns.add(number)
        return Unknown(frozenset((number,)), number, hint)

    def fresh(
        self, node: cst.CSTNode | None, parents: frozenset[int], *tag: object, light: bool = False
    ) -> int:
        """A graph identity made here; what an earlier iteration did to it is forgotten."""
        number = self.here(node, "value", *tag)
        trace = self.trace
        known = trace.parents.get(number, NO_IDS)
        trace.made_in[number] = self.frame
        trace.parents[number] = known | (parents - {number})
        if light:
            trace.light.add(number)
        state = self.state
        if state is not None and number in state.reached | state.retained:
            state.reached -= {number}
            state.retained -= {number}
            state.proved -= {number}
        return number

    def ancestors(self, ids: Iterable[int], *, light_only: bool = False) -> set[int]:
        """The identities themselves and everything they were computed from."""
        parents, light, proof = self.trace.parents, self.trace.light, self.trace.proof
        seen: set[int] = set()
        stack = list(ids)
        while stack:
            number = stack.pop()
            if number in seen:
                continue
            seen.add(number)
            if not light_only:
                stack.extend(parents.get(number, ()))
            elif number in light:
                stack.extend(proof.get(number) or parents.get(number, NO_IDS))
        return seen

    def descendants(self, ids: Iterable[int]) -> set[int]:
        """The identities themselves and everything that was computed from them."""
        found = set(ids)
        grown = True
        while grown:
            grown = False
            for number, parents in self.trace.parents.items():
                if number not in found and parents & found:
                    found.add(number)
                    grown = True
        return found

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
        self.state.vars[key] = (value, born)
        self._members.setdefault(key[0], set()).add(key[1])

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
        self.state.vars[(obj.id, CONTENT)] = (self.state.vars[(obj.id, CONTENT)][0], born[1] if born else ())

    def attribute(self, obj: Obj, name: str) -> Value | None:
        """The value of `obj.name`, as far as it was stored."""
        return self.read((obj.id, "." + name))

    # --- events -------------------------------------------------------------------------------

    def record(self, table: dict[tuple[int, ...], Event], event: Event, *tag: int) -> Event | None:
        """Write an event down once for its place and context; None while a summary is being made."""
        if self.quiet:
            return None
        key = (id(event.node), event.frame.id, *(loop.id for loop in event.loops), *tag)
        return table.setdefault(key, event)

    def backward(
        self, node: cst.CSTNode, roots: Value, *, retains: bool, fills: bool, unseen: bool = False
    ) -> None:
        """Run a backward from `roots`: everything they were computed from is reached."""
        state = self.state
        assert state is not None
        ids = deep_ids(self, roots)
        every = frozenset(self.ancestors(ids))
        proved = frozenset(self.ancestors(ids, light_only=True))
        if retains:
            state.retained |= every
        else:
            state.reached |= every
            state.retained -= every
        state.proved |= proved
        if self.quiet:
            self.quiet_backward = True
            return
        self.trace.backed |= every
        self.trace.direct |= ids
        event = Backward(
            node=node,
            frame=self.frame,
            loops=self.loops,
            ids=ids,
            retains=retains,
            fills=fills,
            code=self.code(node),
            unseen=unseen,
        )
        self.record(self.trace.backwards, event)  # type: ignore[arg-type]

    def settle(self, loop: Loop, edge: State) -> None:
        """At a way back to the head of `loop`: which accumulations of this iteration have grown."""
        for key in edge.pending:
            keep = self.trace.keeps[key]
            slot = edge.vars.get(keep.key)
            if slot is None or loop in slot[1] or loop not in keep.loops or (keep.only or loop) is not loop:
                continue
            status = self.status(keep, edge)
            worse = ("", "unknown", "reached", "retained", "unreached")
            if worse.index(status) > worse.index(keep.grows.get(loop, "")):
                keep.grows[loop] = status

    def status(self, keep: Keep, edge: State) -> str:
        """Whether backward freed what an accumulated value holds, by the end of the iteration."""
        certain = [n for n, kind in graph_members(self, keep.value) if kind is Kind.GRAPH]
        weak = [n for n, kind in graph_members(self, keep.value) if kind is not Kind.GRAPH]
        if certain:
            if all(self.freed(n, edge.reached) for n in certain):
                return "reached"
            return (
                "retained"
                if all(self.freed(n, edge.reached | edge.retained) for n in certain)
                else "unreached"
            )
        proved = [n for n in weak if self.proved(n, edge.proved)]
        if any(self.freed(n, edge.reached) for n in proved):
            return "reached"
        if proved:
            return "retained"
        return "unknown"

    def proved(self, number: int, roots: frozenset[int]) -> bool:
        """Whether a backward showed a value to be a tensor, or it is light arithmetic on such a value."""
        trace, seen, stack = self.trace, {number}, [number]
        while stack:
            current = stack.pop()
            if current in roots:
                return True
            if current in trace.light and current not in trace.members:
                fresh = trace.parents.get(current, NO_IDS) - seen
                seen |= fresh
                stack.extend(fresh)
        return False

    def freed(self, number: int, reached: frozenset[int]) -> bool:
        """Whether a backward ran through a value, or it only adds light arithmetic to such values."""
        trace, seen, stack = self.trace, {number}, [number]
        while stack:
            current = stack.pop()
            if current in reached:
                continue
            parents = trace.parents.get(current, NO_IDS) & trace.parents.keys()
            # Beside a graph for sure, what may be a mere number holds nothing.
            parents = parents - trace.unknowns or parents
            if current not in trace.light or not parents:
                return False
            fresh = parents - seen
            seen |= fresh
            stack.extend(fresh)
        return True


def deep_ids(machine: Machine, value: Value, depth: int = 0) -> frozenset[int]:
    """The graph identities of a value and of everything stored in it, three levels deep."""
    found = set(ids_of(value))
    if isinstance(value, (Items, Choice)):
        for item in value.items if isinstance(value, Items) else value.options:
            found |= deep_ids(machine, item, depth)
    elif isinstance(value, Ref) and depth < 3 and machine.state is not None:
        for inner in stored(machine, value.obj):
            found |= deep_ids(machine, inner, depth + 1)
        if found and value.obj.kind in ("list", "dict"):
            found.add(content_id(machine, value.obj, frozenset(found)))
    return frozenset(found)


def content_id(machine: Machine, obj: Obj, inner: frozenset[int]) -> int:
    """The identity of "what is in this container": a backward from its elements runs through it."""
    number = machine.number("content", obj.id)
    machine.trace.parents[number] = machine.trace.parents.get(number, NO_IDS) | inner
    machine.trace.light.add(number)
    return number


def graph_members(machine: Machine, value: Value, depth: int = 0) -> list[tuple[int, Kind | None]]:
    """(identity, kind) of every value in a structure that may carry a graph; None for unknown ones."""
    if isinstance(value, Tensor):
        return [(n, value.kind) for n in value.ids] if value.kind >= Kind.MAYBE else []
    if isinstance(value, Unknown):
        return [(n, None) for n in value.ids]
    members: list[tuple[int, Kind | None]] = []
    if isinstance(value, (Items, Choice)):
        for item in value.items if isinstance(value, Items) else value.options:
            members += graph_members(machine, item, depth)
    elif isinstance(value, Ref) and depth < 3 and value.obj.kind in ("list", "dict", "instance"):
        for inner in stored(machine, value.obj):
            members += graph_members(machine, inner, depth + 1)
    return members


def stored(machine: Machine, obj: Obj) -> list[Value]:
    """Everything that a heap object holds: elements, entries and, for records, attributes."""
    if obj.kind not in ("list", "dict", "instance"):
        return []
    return [value for name, value in machine.entries(obj) if name[0] in "[."]


def owners_in(machine: Machine, values: Iterable[Value], depth: int = 0) -> frozenset[int]:
    """The modules whose parameters are among these values or in the containers that they are."""
    found: frozenset[int] = NO_IDS
    for value in values:
        for option in value.options if isinstance(value, Choice) else (value,):
            if isinstance(option, Params):
                found |= option.owners
            elif isinstance(option, Items):
                found |= owners_in(machine, option.items, depth)
            elif isinstance(option, Ref) and option.obj.kind == "module":
                found |= {option.obj.id}
            elif isinstance(option, Ref) and depth < 3:
                found |= owners_in(machine, stored(machine, option.obj), depth + 1)
    return found


def refine(machine: Machine, value: Value, name: str, node: cst.CSTNode | None) -> Value:
    """An unknown value bound to a telling name becomes an object of the kind that the name suggests."""
    if not isinstance(value, Unknown):
        return value
    kind = guesses.role(name) or ("module" if name in machine.module_names else "")
    if not kind or (value.hint == "data" and kind not in ("module", "optimizer")):
        return value
    obj = machine.obj(kind, None, "guess", value.origin or name, name=name, guessed=True)
    return Ref(obj)


__all__ = [
    "CONTENT", "DEPTH", "Context", "Function", "Key", "Machine", "Params", "Slot", "State",
    "deep_ids", "graph_members", "merge", "refine", "stored",
]  # fmt: skip
