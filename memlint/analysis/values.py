"""The abstract values of a run: what is known of a Python object without executing anything.

The order of `Kind` is the lattice of tensor kinds: a join takes the upper bound. GRAPH means "holds a
grad_fn for sure", MAYBE means "holds one unless something outside this file removed it".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING

import libcst as cst

from memlint.analysis.traits import Trait
from memlint.records import dataclass

if TYPE_CHECKING:
    from memlint.syntax.names import Names


class Kind(IntEnum):
    """What a tensor carries: integers, plain numbers, perhaps a graph, a graph."""

    INDEX = 0
    DETACHED = 1
    MAYBE = 2
    GRAPH = 3


NO_IDS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Const:
    """A Python constant that is known: None, a bool, a number, a string."""

    value: object


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python number, string, array or other object that carries no autograd graph."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor, or a structure of unknown shape made of tensors of this kind (`opaque`).

    `ids` name the places of the run that made it, for asking whether a backward reached it; `parts` the
    selections (`t[:, 0]`) whose view it is.
    """

    kind: Kind
    ids: frozenset[int] = NO_IDS
    opaque: bool = False
    traits: Trait = Trait.NONE
    parts: frozenset[int] = NO_IDS


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything: a tensor, a number, an object. `ids` are there for a backward to prove it one, and `hint`
    tells what it is: "data", "volatile", "function" for one of many functions, or "entry" for what a table
    gives by its `get`, which containers of layers do not have.
    """

    ids: frozenset[int] = NO_IDS
    origin: int = 0
    hint: str = ""
    traits: Trait = Trait.NONE


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple whose members are known one by one."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to an object of the abstract heap."""

    obj: Obj


@dataclass(frozen=True, slots=True)
class External:
    """A module, class, function or attribute reached through an import, by dotted path."""

    path: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda of the file, with the frame that it closes over and its bound `self`.

    given, named: the arguments that `functools.partial` puts before and beside those of a call.
    """

    node: cst.FunctionDef | cst.Lambda
    frame: Frame
    bound: Value | None = None
    grad: str = ""
    cast: Cast | None = None
    given: tuple[Value, ...] = ()
    named: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the file."""

    info: ClassInfo


@dataclass(frozen=True, slots=True)
class Method:
    """A method of something that is no class of the file: looked up, not yet called."""

    owner: Value
    name: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """A context manager or decorator that changes the grad mode: "on", "off" or "maybe"."""

    grad: str


@dataclass(frozen=True, slots=True)
class Cast:
    """An autocast context. `dtype` is float16, bfloat16, float32, "default" (that of a device which is not
    known) or "" when it is not known; `enabled` and `cache` are None when both are possible.
    """

    dtype: str
    enabled: bool | None = True
    cache: bool | None = True


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of modules: an iterator over them, a list, or one of them (`single`)."""

    owners: frozenset[int]
    single: bool = False
    subset: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values, depending on the path taken."""

    options: tuple[Value, ...]


Value = (
    Const | Scalar | Tensor | Unknown | Items | Ref | External | Function | Class | Method | Context | Cast
    | Params | Choice
)  # fmt: skip

NONE = Const(None)
SCALAR = Scalar()


@dataclass(eq=False, slots=True)
class ClassInfo:
    """A class statement: its methods, its bases as import paths or classes of the file."""

    node: cst.ClassDef
    frame: Frame
    methods: dict[str, cst.FunctionDef]
    bases: tuple[Value, ...]
    fields: dict[str, cst.BaseExpression | None] = field(default_factory=dict)

    def find(self, name: str) -> tuple[cst.FunctionDef, Frame] | None:
        """The definition of a method, in this class or the nearest base that is in the file."""
        if name in self.methods:
            return self.methods[name], self.frame
        for base in self.bases:
            if isinstance(base, Class):
                found = base.info.find(name)
                if found is not None:
                    return found
        return None

    def lineage(self) -> list[ClassInfo]:
        """The class and its bases, as far as their code is in view."""
        above = [base.info for base in self.bases if isinstance(base, Class)]
        return [self, *(info for base in above for info in base.lineage())]

    def ancestry(self) -> set[str]:
        """Import paths of all bases outside the file, through the bases inside it."""
        paths: set[str] = set()
        for base in self.bases:
            if isinstance(base, External):
                paths.add(base.path)
            elif isinstance(base, Class):
                paths |= base.info.ancestry()
        return paths


@dataclass(eq=False, slots=True)
class Obj:
    """An object of the abstract heap, one for each place (and calling context) that makes it."""

    id: int
    """Its number, the key in `Trace.objects` and the first part of the keys of its slots."""

    kind: str
    """Its role: list, dict, instance, module, loss, optimizer, scaler, loader, dataset, engine or parser."""

    node: cst.CSTNode | None
    """What made it, None for what comes from elsewhere."""

    path: str = ""
    """The import path of its class, "" for a class of the file and where it is not known."""

    cls: ClassInfo | None = None
    """Its class, where that is in view."""

    name: str = ""
    """The name that it was known by first, for what comes from elsewhere."""

    args: dict[str, Value] = field(default_factory=dict)
    """What its constructor got, by keyword or position ("0"); names with `#` are the interpreter's own."""

    bounded: int | None = None
    """The `maxlen` of a deque, -1 where it is set but not known, None for what has no limit."""

    by_name: bool = False
    """Whether only its name tells its role (see `knowledge.naming`)."""


@dataclass(eq=False, slots=True)
class Frame:
    """One activation of a function in one calling context."""

    id: int
    """Its number, the first part of the keys of its variables."""

    node: cst.CSTNode
    """The function, lambda or module that runs."""

    lexical: Frame | None
    """The activation of the function that it was defined in, None at the top level of a module."""

    caller: Frame | None = None
    """The activation that called it."""

    call: cst.CSTNode | None = None
    """The call, in the caller's code."""

    name: str = "<module>"
    """The name of the function."""

    self_value: Value | None = None
    """What the method is called on."""

    entry: bool = False
    """Whether nothing in the file makes the call: its arguments are guessed from their names."""

    outer: dict[str, str] = field(default_factory=dict)
    """The names that it declares global or nonlocal -> which of the two."""

    cross_module: bool = False
    """Whether its code is in another file than the one that is checked."""

    names: Names | None = None
    """The names of that other file."""

    def root(self) -> Frame:
        """The top level of the module whose code this frame runs."""
        frame = self
        while frame.lexical is not None:
            frame = frame.lexical
        return frame

    def constructs_module(self) -> bool:
        """Whether a network is being put together: the constructor of a module is active."""
        return any(
            frame.name == "__init__"
            and isinstance(frame.self_value, Ref)
            and frame.self_value.obj.kind == "module"
            for frame in self.chain()
        )

    def chain(self) -> list[Frame]:
        """This frame and its callers, innermost first."""
        frames: list[Frame] = []
        frame: Frame | None = self
        while frame is not None:
            frames.append(frame)
            frame = frame.caller
        return frames


def ids_of(value: Value) -> frozenset[int]:
    """The graph identities directly on a value (not inside containers)."""
    kind = type(value)
    if kind is Tensor or kind is Unknown:
        return value.ids  # type: ignore[union-attr]
    if isinstance(value, Items):
        return frozenset().union(*(ids_of(v) for v in value.items)) if value.items else NO_IDS
    if isinstance(value, Choice):
        return frozenset().union(*(ids_of(v) for v in value.options))
    return NO_IDS


def kind_of(value: Value) -> Kind | None:
    """The tensor kind of a value; None when it is not known to be a tensor."""
    if isinstance(value, Tensor):
        return value.kind
    if isinstance(value, Choice):
        kinds = [k for v in value.options if (k := kind_of(v)) is not None]
        return max(kinds) if kinds else None
    if isinstance(value, Items):
        kinds = [k for v in value.items if (k := kind_of(v)) is not None]
        return max(kinds) if kinds else None
    return None


def united(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    """All members of two sets, in one of them where that holds the other: a value of a long script may come
    from thousands of others, and many values from the same."""
    if a is b or b <= a:
        return a
    return b if a <= b else a | b


def join(a: Value, b: Value) -> Value:
    """The least value that covers both."""
    if a is b or a == b:
        return a
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _joined_tensor(a, b)
    if isinstance(a, Unknown) and isinstance(b, Unknown):
        return Unknown(united(a.ids, b.ids), a.origin or b.origin, a.hint or b.hint, a.traits | b.traits)
    if isinstance(a, Items) and isinstance(b, Items) and len(a.items) == len(b.items):
        return Items(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)))
    if isinstance(a, (Const, Scalar)) and isinstance(b, (Const, Scalar)):
        if Const(None) in (a, b):
            return choice((a, b))
        return SCALAR
    return choice((a, b))


def _joined_tensor(a: Tensor, b: Tensor) -> Tensor:
    return Tensor(
        max(a.kind, b.kind),
        united(a.ids, b.ids),
        a.opaque or b.opaque,
        a.traits | b.traits,
        a.parts | b.parts,
    )


def choice(options: Iterable[Value]) -> Value:
    """A flat choice without repetitions; beyond six options it becomes Unknown, keeping the ids, and whether
    all were functions."""
    options = tuple(options)
    if len(options) == 1:
        return options[0]
    flat: list[Value] = []
    for option in options:
        for value in option.options if isinstance(option, Choice) else (option,):
            if value not in flat:
                flat.append(value)
    tensors = [v for v in flat if isinstance(v, Tensor)]
    if len(tensors) > 1:
        merged = tensors[0]
        for tensor in tensors[1:]:
            merged = _joined_tensor(merged, tensor)
        flat = [merged, *(v for v in flat if not isinstance(v, Tensor))]
    if len(flat) == 1:
        return flat[0]
    if len(flat) > 6:
        functions = all(isinstance(v, Function) for v in flat)
        return Unknown(frozenset().union(*(ids_of(v) for v in flat)), hint="function" if functions else "")
    return Choice(tuple(flat))


def options_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value; itself when there is only one."""
    return value.options if isinstance(value, Choice) else (value,)


def iterated(value: Value) -> list[Obj]:
    """The objects that a loop over a value goes through: its own, and those that enumerate, zip, a generator
    and the like take elements from. A generator may be given what it yielded itself: its own source then.
    """
    found: dict[int, Obj] = {}
    waiting = [value]
    while waiting:
        for option in options_of(waiting.pop()):
            if isinstance(option, Ref) and option.obj.id not in found:
                found[option.obj.id] = option.obj
                over = option.obj.args.get("over")
                waiting += [over] if over is not None else []
    return list(found.values())


def truth(value: Value) -> bool | None:
    """Whether a value is true as a condition; None when both are possible."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Function, Class, External, Method, Context, Cast)):
        return True
    if isinstance(value, Ref) and value.obj.kind not in ("list", "dict"):
        return True
    if isinstance(value, Choice):
        found = {truth(v) for v in value.options}
        return found.pop() if len(found) == 1 else None
    return None
