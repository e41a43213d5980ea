"""Gradient accumulation written into a loop over a loader: smaller batches, a step after several of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from memlint.runtime.parent.fit.written.page import Page, RefusedError, between, suites
from memlint.session import Lines

_STEPS = frozenset({"step", "unscale_", "clip_grad_norm_", "clip_grad_value_", "zero_grad"})
_OF_SCALERS = "update"
_ONCE = _STEPS | {"backward"}
"""Calls that must stand where they are looked for: anything else is not understood."""

_AVERAGING = frozenset({"lerp_", "_foreach_lerp_", "update_parameters", "update_ema", "ema_update"})
"""Calls that move averages of the weights (EMA) on, once for each step."""

_COUNTERS = ("number", "batch_number", "micro_batch")
_BARS = frozenset({"tqdm", "trange", "track"})


@dataclass(frozen=True, slots=True)
class _Passes:
    """A loop over a loader: `counter` counts its batches from `start`, `length` is how many there are."""

    counter: str
    start: int
    length: str


def divide(page: Page, made: Lines, times: int) -> None:
    """Divide the batch size of the loader that a line makes.

    Raises:
        RefusedError: no batch size is seen there.
    """
    calls = [node for node in ast.walk(page.tree) if isinstance(node, ast.Call)]
    sizes = [size for call in calls if _covers(call, made.first) and (size := _size(call)) is not None]
    if len(sizes) != 1:
        raise RefusedError("the batch size of the loader is not seen")
    (size,) = sizes
    if isinstance(size, ast.Constant) and isinstance(size.value, int):
        if size.value % times:
            raise RefusedError("batches of that size have no such parts")
        page.replace(size, str(size.value // times))
        return
    if not isinstance(size, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        page.put_before(size, "(")
        page.put_behind(size, ")")
    page.put_behind(size, f" // {times}")


def step_less(page: Page, region: Lines, times: int) -> None:
    """Divide the loss, and let steps and zero_grad() wait for so many batches, or the last one.

    Raises:
        RefusedError: the loop is not one over a loader with one backward, a step and zero_grad().
    """
    suite, _, at = between(page.tree, region.first, region.last)
    loop = _loop(page.tree, suite)
    divisor = loss_of(suite[at])
    backwards = [
        node for node in ast.walk(loop) if isinstance(node, ast.Attribute) and node.attr == "backward"
    ]
    if divisor is None or len(backwards) > 1:
        raise RefusedError("there is more than one backward in the loop")
    if is_summed(page.tree):
        raise RefusedError("the loss is a sum")
    waiting = {number: _waits(statement) for number, statement in enumerate(suite)}
    for number, statement in enumerate(suite):
        if number != at and not waiting[number] and any(call in _ONCE for call in _calls(statement)):
            raise RefusedError("a step is not seen to belong to the loop")
    called = {call for number, waits in waiting.items() if waits for call in _calls(suite[number])}
    if not {"step", "zero_grad"} <= called:
        raise RefusedError("no step and zero_grad() are seen beside backward")
    if any(set(_calls(suite[number])) != {"zero_grad"} for number in range(at) if waiting[number]):
        raise RefusedError("a step comes before backward")
    if any(_schedules(suite[number]) for number, waits in waiting.items() if waits) and _counts(page.tree):
        raise RefusedError("a schedule is as long as the loader")
    if any(_averages(suite[number]) for number, waits in waiting.items() if not waits):
        raise RefusedError("an average of the weights moves on with each batch")
    last = max(number for number, waits in waiting.items() if waits)
    if any(map(_goes_on, suite[:last])):
        raise RefusedError("a batch may be left out before its step")
    passes = _counted(page, loop)
    page.put_before(divisor, "(")
    page.put_behind(divisor, f" / {_window(passes, times)})")
    now, ended = _conditions(passes, times)
    for waits, numbers in groupby(range(len(suite)), key=lambda number: (waiting[number], number > at)):
        if waits[0]:
            header = ended if waits[1] else now
            page.put_under([suite[number] for number in numbers], f"if {header}:")


def _conditions(passes: _Passes, times: int) -> tuple[str, str]:
    """When the first batch of a window is there, and when the last one is."""
    name = passes.counter
    count = name if passes.start else f"{name} + 1"
    ready = f"{count} % {times} == 0" if passes.start else f"({count}) % {times} == 0"
    return f"{name} % {times} == {passes.start % times}", f"{ready} or {count} == len({passes.length})"


def _window(passes: _Passes, times: int) -> str:
    """How many batches the window has that a batch is in: fewer, if it is the last one."""
    number = f"({passes.counter} - {passes.start})" if passes.start else passes.counter
    return f"min({times}, len({passes.length}) - {number} // {times} * {times})"


def _loop(tree: ast.Module, suite: list[ast.stmt]) -> ast.For:
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and node.body is suite:
            return node
    raise RefusedError("backward does not stand in the body of a loop over a loader")


def loss_of(statement: ast.stmt) -> ast.expr | None:
    """What a statement calls backward of, within what scales it."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward" or call.args:
        return None
    inner = call.func.value
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "scale":
        return inner.args[0] if len(inner.args) == 1 else None
    return inner


def is_summed(tree: ast.Module) -> bool:
    """Whether a file asks for a loss that is the sum of its items: that of parts is not to be divided."""
    keywords = (node for node in ast.walk(tree) if isinstance(node, ast.keyword))
    return any(
        k.arg == "reduction" and isinstance(k.value, ast.Constant) and k.value.value == "sum"
        for k in keywords
    )


def _counted(page: Page, loop: ast.For) -> _Passes:
    """The counter of a loop, which it is given where it has none."""
    counting, inner = _enumerated(loop.iter)
    loader = _unwrapped(inner)
    if not isinstance(loader, (ast.Name, ast.Attribute)):
        raise RefusedError("what is iterated over has no name")
    length = page.source(loader)
    if counting is not None:
        if not isinstance(loop.target, ast.Tuple) or not isinstance(loop.target.elts[0], ast.Name):
            raise RefusedError("the counter of the loop has no name")
        start = _start(counting)
        name = loop.target.elts[0].id
        bound = [n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]
        if start not in (0, 1) or not all(isinstance(n.ctx, ast.Load) for n in bound):
            raise RefusedError("the counter of the loop counts something else")
        return _Passes(name, start, length)
    taken = page.names()
    name = next((name for name in _COUNTERS if name not in taken), "")
    if not name:
        raise RefusedError("no name is left for a counter")
    target = loop.target
    bare = isinstance(target, ast.Tuple) and not page.source(target).startswith("(")
    page.put_before(target, f"{name}, (" if bare else f"{name}, ")
    if bare:
        page.put_behind(target, ")")
    page.put_before(loop.iter, "enumerate(")
    page.put_behind(loop.iter, ")")
    return _Passes(name, 0, length)


def _enumerated(node: ast.expr) -> tuple[ast.Call | None, ast.expr]:
    """The enumerate() in what a loop iterates over, and what is counted by it."""
    inner = node
    while isinstance(inner, ast.Call) and inner.args:
        if named(inner.func) == "enumerate":
            return inner, inner.args[0]
        if named(inner.func) not in _BARS:
            break
        inner = inner.args[0]
    return None, node


def _unwrapped(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Call) and node.args and named(node.func) in _BARS:
        node = node.args[0]
    return node


def _start(call: ast.Call) -> int:
    given = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "start")]
    if not given:
        return 0
    found = given[0]
    return found.value if isinstance(found, ast.Constant) and isinstance(found.value, int) else -1


def _waits(statement: ast.stmt) -> bool:
    """Whether all that a statement does is to be done once for several batches."""
    blocks = list(suites(statement))
    if isinstance(statement, (ast.If, ast.With)):
        return all(_waits(each) for block in blocks for each in block)
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    func = statement.value.func
    owner = named(func.value).lower() if isinstance(func, ast.Attribute) else ""
    if named(func) == _OF_SCALERS:
        return "scaler" in owner
    return named(func) in _STEPS and "prof" not in owner


def _calls(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and "prof" not in named(getattr(node.func, "value", node)).lower():
            yield named(node.func)


def _goes_on(statement: ast.AST) -> bool:
    """Whether a `continue` in a statement is one of the loop around it: a window may lack its first batch."""
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.ClassDef)):
        inside: Iterable[ast.AST] = getattr(statement, "orelse", ())
    else:
        inside = ast.iter_child_nodes(statement)
    return isinstance(statement, ast.Continue) or any(map(_goes_on, inside))


def _averages(statement: ast.stmt) -> bool:
    """Whether averages of weights are moved on: more often than there are steps, they forget sooner."""
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        owner = getattr(node.func, "value", None)
        called, of = named(node.func), named(owner) if owner is not None else ""
        scaled = called == "add_" and isinstance(owner, ast.Call) and named(owner.func) == "mul_"
        words = of.lower().split("_")
        if called in _AVERAGING or scaled or (called == "update" and "ema" in words):
            return True
    return False


def _schedules(statement: ast.stmt) -> bool:
    """Whether a statement has a step() that is a schedule's by its name."""
    owners = (node.value for node in ast.walk(statement) if isinstance(node, ast.Attribute))
    return any("sched" in named(owner).lower() for owner in owners)


def _counts(tree: ast.Module) -> bool:
    """Whether a file asks how many batches a loader has: a schedule may be made for as many steps."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return any(named(c.func) == "len" and "load" in named(c.args[0]).lower() for c in calls)


def _size(call: ast.Call) -> ast.expr | None:
    if not named(call.func).endswith("DataLoader"):
        return None
    given: Iterable[ast.expr] = (k.value for k in call.keywords if k.arg == "batch_size")
    return next(iter(given), call.args[1] if len(call.args) > 1 else None)


def _covers(node: ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


def named(node: ast.AST) -> str:
    """The last name of what is called or read, "" where it has none."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
