"""Knows the loops of the project while they run, so that a pass can be ended early.

A transformer puts a call around the iterable of each `for` statement whose body calls something. What that
call gives back is the iterable itself where no step, backward or root forward ever happens within the
loop, else an iterator that asks, before each item, whether it was the last one. A `while` statement that can
be left by its test or a `break` becomes a `for` statement without a variable over items without end, which
leaves when the test is false: so it is closed like any other, however it is left.
"""

from __future__ import annotations

import ast
import operator
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from torch.compiler import is_dynamo_compiling as is_compiling

from memlint.runtime.child.limits import rewrite

NAME, ENDLESS = "__memlint_loop__", "__memlint_endless__"
"""What the changed code calls, and what a `while` statement iterates: () without end, as a plain object."""

NEVER = sys.maxsize
PATIENCE = 50
"""Openings of a `for` statement without any tick after which it is left alone."""

TRAINS = frozenset({"backward", "manual_backward", "fit", "learn", "grad"})
EVALUATES = frozenset({"eval", "no_grad", "inference_mode"})
STORES = frozenset("add append extend insert push put remember store".split())
_KNOWN_LENGTHS: tuple[type, ...] = tuple(type(iter(kind())) for kind in (list, tuple, str, dict))
_KNOWN_LENGTHS += (type(iter(range(0))),)


@dataclass(slots=True)
class Statement:
    """One loop of the source: `key` says which it is, by function and number, so that lines may shift.

    `calls` are the last names of what its body calls; `collects` says that it steps something (an
    environment) and stores what it gets, `is_while` that it is a `while` statement. `spent` are the seconds
    of its evaluations so far, `openings` how often it was opened. `sums` says that an opening ran to its end
    with backwards and without a step, `steps` that a step was made within one.
    """

    key: str
    path: str
    line: int
    calls: frozenset[str]
    collects: bool
    is_while: bool = False
    patience: int = PATIENCE
    openings: int = 0
    spent: float = 0.0
    trained: bool = False
    sums: bool = False
    steps: bool = False


@dataclass(slots=True, eq=False)
class Loop:
    """One opening of a loop.

    `most` is the number of items after which it ends. `stirred` says that a tick happened since the last
    item. `steps`, `backwards` and `forwards` happened within it; `inner` says that it is the innermost
    loop around the last step, `fed` that a DataLoader, bounded on its own, gives its items; `late` that
    enough steps had been made when it was opened; `extra` counts its items since then. `items` is the
    iterator of a container or range that says how many it has left; with `leaps` the next item is its last.
    `states` are those of the allocator between its items.
    """

    statement: Statement
    opening: int
    frame: int
    began: float
    late: bool
    fed: bool
    most: int = NEVER
    count: int = 0
    stirred: bool = False
    steps: int = 0
    backwards: int = 0
    forwards: int = 0
    inner: bool = False
    extra: int = 0
    leaps: bool = False
    states: set[object] = field(default_factory=set)
    repeats: Repeats | None = None
    items: Any = None

    def items_left(self) -> int | None:
        """How many items are left, where a list, a range or their like says so."""
        return operator.length_hint(self.items) if self.items is not None else None

    @property
    def ticks(self) -> int:
        """Steps, backwards and root forwards within it."""
        return self.steps + self.backwards + self.forwards

    @property
    def length(self) -> int:
        """How many items there would be; 0 where that is not known."""
        left = self.items_left()
        return 0 if left is None else self.count + left


class Loops:
    """All loops of the project that may be ended, and those that are open now.

    `scheduled` says after how many items an opening ends: by key of the statement, then by the number of
    the opening. `between` is called with a loop before its next item, where a tick happened since the last;
    where it fails, `note` is told, and loops are left alone from then on. `ended` is called with a loop that
    has ended, or is being left, and whether no other with ticks is open.
    """

    def __init__(
        self,
        scheduled: Mapping[str, Mapping[str, int]],
        note: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.scheduled = scheduled
        self.note = note
        self.statements: list[Statement] = []
        self.calls: defaultdict[str, set[str]] = defaultdict(set)
        self.active = True
        self.late = False
        self.fresh = False
        self.between: Callable[[Loop], None] = lambda loop: None
        self.ended: Callable[[Loop, bool], None] = lambda loop, outermost: None
        self._open: dict[int, list[Loop]] = {}

    def transformer(self, path: str) -> ast.NodeTransformer:
        """What changes the loops of the file at `path`."""
        return _Changed(path, self)

    def names(self) -> dict[str, Any]:
        """What the changed code finds."""
        return {NAME: Opener(self), ENDLESS: iter(tuple, None)}

    def open(self, iterable: Any, number: int, frame: FrameType) -> Any:
        """What a loop is to iterate instead of `iterable`: that itself, or an iterator over it."""
        if not self.active:
            return iterable
        statement = self.statements[number]
        # A pass over a loader that was opened before the loop does not feed it.
        self.fresh = False
        inner = iter(iterable)
        try:
            return self._opened(statement, inner, frame)
        except Exception as error:
            self._fail(error)
            return inner

    def _opened(self, statement: Statement, inner: Iterator[Any], frame: FrameType) -> _Items:
        statement.patience -= 1
        statement.openings += 1
        fed, self.fresh = self.fresh, False
        loop = Loop(statement, statement.openings, id(frame), time.perf_counter(), self.late, fed)
        if planned := self.scheduled.get(statement.key):
            statement.patience = NEVER
            loop.most = planned.get(str(loop.opening), NEVER)
        if isinstance(inner, _KNOWN_LENGTHS):
            loop.items = inner
        self._open.setdefault(loop.frame, []).append(loop)
        return _Items(self, loop, inner)

    def close(self, loop: Loop) -> None:
        """The loop has ended, or was left."""
        loop.items = None
        found = self._open[loop.frame]
        found.remove(loop)
        if not found:
            del self._open[loop.frame]
        if loop.forwards and not loop.backwards:
            loop.statement.spent += time.perf_counter() - loop.began
        loop.statement.steps |= loop.steps > 0
        loop.statement.sums |= loop.backwards > 0 and not loop.steps
        if self.active and loop.ticks:
            self.ended(loop, not any(other.ticks for rest in self._open.values() for other in rest))

    def look_at(self, loop: Loop) -> None:
        """Ask whether a loop ends; a mistake in that is not the script's."""
        if not self.active:
            return
        try:
            self.between(loop)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.active = False
        self.note(f"loops were no longer shortened: {type(error).__name__} in memlint")

    def around(self) -> list[Loop]:
        """The loops within whose bodies the caller's caller runs, the innermost first."""
        found: list[Loop] = []
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            found += reversed(self._open.get(id(frame), ()))
            frame = frame.f_back
        return found

    def drawing(self) -> Loop | None:
        """The loop that is asking for its next item right now; None within a body."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and id(frame) not in self._open:
            if frame.f_code is _DRAW:
                loop: Loop = frame.f_locals["self"].loop
                return loop
            frame = frame.f_back
        return None

    def reaches(self, statement: Statement, names: frozenset[str]) -> bool:
        """Whether the body calls one of `names`, or a function of the project of whatever class that does."""
        seen: set[str] = set()
        new = set(statement.calls)
        while new:
            if not names.isdisjoint(new):
                return True
            seen |= new
            new = {call for name in new for call in self.calls.get(name, ())} - seen
        return False


class Opener:
    """What the changed code calls, with a pair: the iterable and the number of the statement.

    Where a function is pickled by value for a process without memlint, the call is sent as what picks the
    iterable out of that pair.
    """

    def __init__(self, loops: Loops) -> None:
        self._loops = loops

    def __call__(self, pair: tuple[Any, int]) -> Any:
        """See `Loops.open`."""
        iterable, number = pair
        if is_compiling() or self._loops.statements[number].patience <= 0:
            return iterable
        return self._loops.open(iterable, number, sys._getframe(1))

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.itemgetter, (0,)


class _Items:
    """The iterator of one opening. No item is kept here: a batch lives as long as without a replay."""

    __slots__ = ("_loops", "_next", "loop")

    def __init__(self, loops: Loops, loop: Loop, inner: Iterator[Any]) -> None:
        self._loops = loops
        self.loop = loop
        self._next = inner.__next__

    def __iter__(self) -> _Items:
        return self

    def __next__(self) -> Any:
        loop = self.loop
        if loop.stirred:
            loop.stirred = False
            self._loops.look_at(loop)
        if loop.count >= loop.most:
            raise StopIteration
        if loop.leaps:
            loop.leaps = False
            while loop.length > loop.count + 1:
                loop.count += 1
                self._next()
        loop.count += 1
        return self._next()

    def __del__(self) -> None:
        self._loops.close(self.loop)


_DRAW = _Items.__next__.__code__


class _Changed(rewrite.Transformer):
    def __init__(self, path: str, loops: Loops) -> None:
        super().__init__(path)
        self._loops = loops
        self._numbers: Counter[str] = Counter()

    def visit_Module(self, node: ast.Module) -> ast.AST:  # noqa: N802 - a name of ast
        """Remember which function calls what, then change the statements."""
        for inside in ast.walk(node):
            if isinstance(inside, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._loops.calls[inside.name] |= _called([inside])
        return super().visit_Module(node)

    def visit_For(self, node: ast.For) -> ast.AST:  # noqa: N802 - a name of ast
        """Put the call around the iterable."""
        key = self._key()
        self.generic_visit(node)
        if (number := self._remember(key, node, node.body)) is not None:
            node.iter = _opening(node.iter, number, node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:  # noqa: N802 - a name of ast
        """Make a `for` statement of it, in which the test comes after memlint's own."""
        key = self._key()
        ends = not isinstance(node.test, ast.Constant)
        self.generic_visit(node)
        if node.orelse or not (ends or _breaks(node.body)):
            return node
        number = self._remember(key, node, [node.test, *node.body])
        if number is None:
            return node
        body = node.body
        if ends:
            leave = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
            for new in (leave, leave.test, leave.body[0]):
                ast.copy_location(new, node.test)
            body = [leave, *body]
        items = _opening(ast.copy_location(ast.Name(ENDLESS, ast.Load()), node.test), number, node.test)
        target = ast.copy_location(ast.Tuple([], ast.Store()), node.test)
        return ast.copy_location(ast.For(target, items, body, []), node)

    def _key(self) -> str:
        scope = ".".join(self.scope)
        self._numbers[scope] += 1
        return f"{self.path}:{scope}:{self._numbers[scope]}"

    def _remember(self, key: str, node: ast.For | ast.While, within: Sequence[ast.AST]) -> int | None:
        """The number of a new statement; None for one that is left alone."""
        calls = _called(within)
        # No root forward happens within a module's own forward, and torch.compile may read it.
        if not calls or self.scope[-1:] == ["forward"]:
            return None
        statements = self._loops.statements
        names, is_while = frozenset(calls), isinstance(node, ast.While)
        statements.append(Statement(key, self.path, node.lineno, names, _collects(within), is_while))
        return len(statements) - 1


def _opening(iterable: ast.expr, number: int, place: ast.expr) -> ast.Call:
    pair = ast.Tuple([iterable, ast.Constant(number)], ast.Load())
    call = ast.Call(ast.Name(NAME, ast.Load()), [pair], [])
    for new in (call, call.func, pair, pair.elts[1]):
        ast.copy_location(new, place)
    return call


def _breaks(body: Sequence[ast.AST]) -> bool:
    """Whether a loop with this body has a `break` of its own."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        inside: Sequence[ast.AST] = list(ast.iter_child_nodes(node))
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            inside = node.orelse
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside = ()
        if _breaks(inside):
            return True
    return False


def _calls(nodes: Sequence[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        yield from (inside for inside in ast.walk(node) if isinstance(inside, ast.Call))


def _called(nodes: Sequence[ast.AST]) -> set[str]:
    names = (rewrite.dotted(call.func) for call in _calls(nodes))
    return {found[-1] if found else "" for found in names} - {NAME}


def _collects(nodes: Sequence[ast.AST]) -> bool:
    """Whether a body steps an environment and stores what came of it: its length then sizes later tensors."""
    steps = any(call.args and rewrite.dotted(call.func)[-1:] == ["step"] for call in _calls(nodes))
    return steps and not STORES.isdisjoint(_called(nodes))


@dataclass(slots=True)
class Repeats:
    """How often in a row the same happened in a log: the same peak, and as many bytes after as before."""

    log: Any
    position: int = -1
    last: tuple[int, int] = (-1, -1)
    times: int = 0
    _resized: dict[int, int] = field(default_factory=dict)

    def look(self) -> int:
        """Look at what happened since the last look; the answer is the number of repetitions."""
        before, self.position = self.position, len(self.log.events)
        if before < 0:
            return 0
        found = self._shape(before)
        self.times = self.times + 1 if found == self.last and not found[1] else 0
        self.last = found
        return self.times

    def _shape(self, begin: int) -> tuple[int, int]:
        now = most = 0
        for event in self.log.events[begin : self.position]:
            if isinstance(event, tuple):
                self._resized[event[0]] = self._resized.get(event[0], 0) + event[1]
                now += event[1]
            elif event >= 0:
                now += self.log.raw[event][0]
            else:
                now -= self.log.raw[~event][0] + self._resized.pop(~event, 0)
            most = max(most, now)
        return most, now
