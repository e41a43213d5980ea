"""Conditions of the project that count steps and were not met in those that were simulated, or always.

`if step % 1000 == 0: evaluate()`, `if epoch >= args.start: ...`: what they open is not seen in a few steps. A
condition counts where a number in it rises from one time that it is asked to the next and never falls.
Another run can have it come out the other way: one with a remainder, or that asks for one number, once; any
other one from then on.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlint.runtime.child.limits.rewrite import Make, Transformer, dotted
from memlint.runtime.simulate.branches import leaves, opens
from memlint.session import Decided

NAME, NUMBER = "__memlint_met__", "__memlint_number__"

_MARK = ":%"
"""Between scope and number of a condition in its key."""

_TRAINERS = "transformers.trainer_callback"

_RISES = 2
"""How often a number must have risen for it to count, unless it rose by one."""

_ORDERED = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
_LOOKED_AT = (*_ORDERED, ast.Eq, ast.NotEq, ast.In, ast.NotIn)


@dataclass(slots=True)
class Number:
    """One side of a comparison, as it was from time to time."""

    last: int | None = None
    rises: int = 0
    by_one: bool = False
    fell: bool = False

    @property
    def counts(self) -> bool:
        """Whether it went up only."""
        return not self.fell and (self.rises >= _RISES or (self.rises == 1 and self.by_one))

    def see(self, value: int) -> None:
        """The value of now."""
        if self.last is not None and value != self.last:
            self.rises += 1
            self.by_one = value == self.last + 1
            self.fell |= value < self.last
        self.last = value


@dataclass(slots=True)
class Condition:
    """One condition of the source; `opens` says for both outcomes whether what runs then may take memory.

    `key` names it by function and number, so that lines may shift. `once` says that it is met now and then.
    """

    key: str
    path: str
    line: int
    opens: tuple[bool, bool]
    once: bool
    numbers: list[Number] = field(default_factory=list)
    outcomes: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def asked(self) -> int:
        """How often it was asked."""
        return sum(self.outcomes)


class Seldom:
    """Follows such conditions; those in `turned` come out the other way when their keys say so.

    `place` says which line of the project runs.
    """

    def __init__(self, turned: Collection[str], place: Callable[[], tuple[str, int]]) -> None:
        self._place = place
        self._watches = False
        pairs = (key.rpartition("@") for key in turned if _MARK in key)
        self._turned = {key: int(when) for key, _, when in pairs}
        self.conditions: list[Condition] = []
        self._numbers: list[Number] = []

    def rewriting(self) -> tuple[Make, dict[str, Any]]:
        """What changes the conditions of a file, and the names that they call then."""
        return lambda path: _Changed(path, self), {NAME: self._came_out, NUMBER: self._see}

    def stepped(self) -> None:
        """A step was made: the Trainer of transformers is there if it will be."""
        module = sys.modules.get(_TRAINERS)
        if self._watches or module is None:
            return
        self._watches = True
        kind = getattr(module, "DefaultFlowCallback", None)
        if kind is not None:
            kind.on_step_end = self._told(kind.on_step_end)

    def _told(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """What says after a step of the Trainer whether it evaluates: each `eval_steps`."""
        known: dict[int, int] = {}

        @functools.wraps(real)
        def on_step_end(flow: Any, args: Any, state: Any, control: Any, *others: Any, **more: Any) -> Any:
            found = real(flow, args, state, control, *others, **more)
            if getattr(getattr(args, "eval_strategy", None), "value", "") == "steps":
                path, line = self._place()
                if line not in known:
                    key = f"{path}:{line}{_MARK}0"
                    known[line] = self.follow(Condition(key, path, line, (False, True), once=True))
                    self.number(self.conditions[known[line]])
                self.conditions[known[line]].numbers[0].see(state.global_step)
                control.should_evaluate = bool(self._came_out(known[line], control.should_evaluate))
            return found

        return on_step_end

    def follow(self, condition: Condition) -> int:
        """Follow one more condition; its number."""
        self.conditions.append(condition)
        return len(self.conditions) - 1

    def number(self, condition: Condition) -> int:
        """Follow one more number in a condition; what names it."""
        condition.numbers.append(Number())
        self._numbers.append(condition.numbers[-1])
        return len(self._numbers) - 1

    def _see(self, which: int, value: Any) -> Any:
        if type(value) is int:
            self._numbers[which].see(value)
        return value

    def _came_out(self, which: int, value: Any) -> Any:
        condition = self.conditions[which]
        found = bool(value)
        when = self._turned.get(condition.key)
        now = condition.asked
        condition.outcomes[found] += 1
        if when is None or (now != when if condition.once else now < when):
            return value
        return not found

    def decided(self, name: Callable[[str], str]) -> tuple[Decided, ...]:
        """Conditions that count, and came out one way only."""
        rows = []
        for condition in self.conditions:
            failed, held = condition.outcomes
            if (failed and held) or not any(number.counts for number in condition.numbers):
                continue
            turned = condition.key in self._turned
            key = f"{condition.key}@{condition.asked // 2}"
            may = condition.opens[not held] and not turned
            rows.append(
                Decided(name(condition.path), condition.line, key, bool(held), may, turned, counts=True)
            )
        return tuple(rows)


class _Changed(Transformer):
    def __init__(self, path: str, seldom: Seldom) -> None:
        super().__init__(path)
        self._seldom = seldom
        self._known: Counter[str] = Counter()

    def visit_If(self, node: ast.If) -> ast.AST:  # noqa: N802 - a name of ast
        """Put a call around the whole test."""
        both = (_takes(node.orelse) or leaves(node.body), _takes(node.body))
        self.generic_visit(node)
        if any(both):
            node.test = self._around(node.test, both)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # noqa: N802 - a name of ast
        """The same of `evaluate() if step % 100 == 0 else None`."""
        both = (_takes([node.orelse]), _takes([node.body]))
        self.generic_visit(node)
        if any(both):
            node.test = self._around(node.test, both)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:  # noqa: N802 - a name of ast
        """The same of `is_due = step % 100 == 0`; what it opens stands elsewhere."""
        self.generic_visit(node)
        if isinstance(node.value, (ast.Compare, ast.BoolOp, ast.UnaryOp)) and _has_remainder(node.value):
            node.value = self._around(node.value, (True, True))
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:  # noqa: N802 - a name of ast
        """The same of a function that says whether something is due."""
        self.generic_visit(node)
        if isinstance(node.value, (ast.Compare, ast.BoolOp, ast.UnaryOp)) and _has_remainder(node.value):
            node.value = self._around(node.value, (True, True))
        return node

    def _around(self, test: ast.expr, both: tuple[bool, bool]) -> ast.expr:
        sides = _sides(test)
        if not sides:
            return test
        scope = ".".join(self.scope)
        self._known[scope] += 1
        lasts = all(isinstance(op, _ORDERED) for op in _operators(test)) and not _has_remainder(test)
        key = f"{self.path}:{scope}{_MARK}{self._known[scope]}"
        condition = Condition(key, self.path, test.lineno, both, not lasts)
        for owner, name, at in sides:
            held = getattr(owner, name)
            side = held if at is None else held[at]
            seen = _call(NUMBER, self._seldom.number(condition), side)
            if at is None:
                setattr(owner, name, seen)
            else:
                held[at] = seen
        return _call(NAME, self._seldom.follow(condition), test)


def _call(name: str, number: int, value: ast.expr) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number), value], [])
    for new in (call, call.func, call.args[0]):
        ast.copy_location(new, value)
    return call


def _sides(test: ast.expr) -> list[tuple[Any, str, int | None]]:
    """Where numbers stand that may count: what a remainder is taken of, else both sides of a comparison."""
    found: list[tuple[Any, str, int | None]] = []
    for node in ast.walk(test):
        if isinstance(node, ast.BinOp) and _is_remainder(node):
            found.append((node, "left", None))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _LOOKED_AT):
            right = node.comparators[0]
            found += [(node, "left", None)] if _may_count(node.left) else []
            found += [(node, "comparators", 0)] if _may_count(right) else []
    return found


def _may_count(node: ast.expr) -> bool:
    fixed = isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr))
    return not fixed and not _has_remainder(node)


def _operators(test: ast.expr) -> list[ast.cmpop]:
    return [op for node in ast.walk(test) if isinstance(node, ast.Compare) for op in node.ops]


def _is_remainder(node: ast.BinOp) -> bool:
    text = isinstance(node.left, ast.JoinedStr) or (
        isinstance(node.left, ast.Constant) and isinstance(node.left.value, (str, bytes))
    )
    return isinstance(node.op, ast.Mod) and not text


def _has_remainder(node: ast.expr) -> bool:
    return any(isinstance(inside, ast.BinOp) and _is_remainder(inside) for inside in ast.walk(node))


def _takes(body: Sequence[ast.AST]) -> bool:
    """Whether a block may take memory; a moving average of weights makes tensors, other updates do not."""
    calls = (inside for node in body for inside in ast.walk(node) if isinstance(inside, ast.Call))
    averages = any("ema" in ".".join(dotted(call.func)[:-1]).lower() for call in calls)
    return averages or opens(body)
