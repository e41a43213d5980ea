"""A GradScaler written around backward and step: gradients in float16 would vanish without one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from memlint.runtime.parent.fit.written.page import Page, RefusedError, between, suites
from memlint.session import Lines

_NAMES = ("scaler", "grad_scaler", "loss_scaler")
_CLIPS = frozenset({"clip_grad_norm_", "clip_grad_value_"})
_OTHERS = ("sched", "prof", "scaler", "tracker", "ema")
"""Words in the names of what has a step() and is no optimizer."""


def scale(page: Page, region: Lines) -> None:
    """Scale the loss, and let a scaler step, where the script has none.

    Raises:
        RefusedError: backward, or the step behind it, is none that a scaler can be put around.
    """
    suite, _, at = between(page.tree, region.first, region.last)
    call = _backward(suite[at])
    loss = call.func.value  # type: ignore[attr-defined]
    if isinstance(loss, ast.Call) and isinstance(loss.func, ast.Attribute) and loss.func.attr == "scale":
        return
    behind = suite[at + 1 :]
    steps = [found for statement in behind for found in _steps(statement)]
    if len(steps) != 1 or steps[0].args or steps[0].keywords:
        raise RefusedError("no single step of an optimizer is seen behind backward")
    (step,) = steps
    optimizer = page.source(step.func.value)  # type: ignore[attr-defined]
    name = _scaler(page, suite[at])
    page.put_before(loss, f"{name}.scale(")
    page.put_behind(loss, ")")
    until = next(n for n, statement in enumerate(behind) if _holds(statement, step))
    reads = next((s for s in behind[: until + 1] if _reads_gradients(s)), None)
    if reads is behind[until] and not isinstance(reads, ast.If):
        raise RefusedError("gradients are read where the step is made")
    if reads is not None:
        place = reads if reads is not behind[until] else _first_within(reads, step)
        page.put_above(place, f"{name}.unscale_({optimizer})")
    line = page.lines[step.lineno - 1]
    margin = line[: len(line) - len(line.lstrip())]
    page.replace(step, f"{name}.step({optimizer})\n{margin}{name}.update()")


def _backward(statement: ast.stmt) -> ast.Call:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args:
        raise RefusedError("backward is not called of a loss")
    if call.func.attr != "backward":
        raise RefusedError("backward is not called of a loss")
    return call


def _steps(statement: ast.stmt) -> Iterator[ast.Call]:
    """The statements `optimizer.step()` in a statement."""
    for node in ast.walk(statement):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "step":
            owner = ast.unparse(call.func.value).lower()
            if not any(word in owner for word in _OTHERS):
                yield call


def _scaler(page: Page, inside: ast.stmt) -> str:
    """The name of a scaler that is made once: above the function or class, else above the loop."""
    taken = page.names()
    name = next((name for name in _NAMES if name not in taken), "")
    if not name:
        raise RefusedError("no name is left for a scaler")
    place = next(statement for statement in page.tree.body if _holds(statement, inside))
    apart = "\n\n" if isinstance(place, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else ""
    page.put_above(place, f'{name} = {page.torch()}.amp.GradScaler("cuda"){apart}')
    return name


def _holds(statement: ast.stmt, node: ast.AST) -> bool:
    return any(each is node for each in ast.walk(statement))


def _reads_gradients(statement: ast.stmt) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and (node.attr == "grad" or node.attr in _CLIPS):
            return True
        if isinstance(node, ast.Name) and node.id in _CLIPS:
            return True
    return False


def _first_within(statement: ast.stmt, step: ast.Call) -> ast.stmt:
    """The first statement of the block of a step that reads gradients."""
    for block in suites(statement):
        if any(_holds(each, step) for each in block):
            return _first_of(block)
    raise RefusedError("gradients are read where the step is made")


def _first_of(block: Sequence[ast.stmt]) -> ast.stmt:
    found = next((each for each in block if _reads_gradients(each)), None)
    if found is None:
        raise RefusedError("gradients are read beside the step")
    return found
