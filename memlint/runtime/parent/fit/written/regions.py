"""A context written around forward pass and loss."""

from __future__ import annotations

import ast

from memlint.runtime.parent.fit.written.page import Page, RefusedError, between
from memlint.session import Lines

AUTOCAST = 'with {torch}.autocast("cuda", dtype={torch}.{dtype}):'
OFFLOAD = "with {torch}.autograd.graph.save_on_cpu(pin_memory={torch}.cuda.is_available()):"

_NOT_WITHIN = frozenset({"backward", "step"})


def around(page: Page, region: Lines, header: str) -> None:
    """Put the statements from the first forward pass to the one before backward under a header.

    Raises:
        RefusedError: they are not those of one block, or do more than compute a loss.
    """
    suite, first, last = between(page.tree, region.first, region.last)
    while last - 1 > first and _forgets(suite[last - 1]):
        last -= 1
    inside = suite[first:last]
    for node in (node for statement in inside for node in ast.walk(statement)):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            raise RefusedError("the function is left between forward pass and backward")
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in _NOT_WITHIN:
            raise RefusedError(f"{called.attr}() lies between forward pass and backward")
    page.put_under(inside, header)


def _forgets(statement: ast.stmt) -> bool:
    """Whether a statement is zero_grad(), which need not stand in the region."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr == "zero_grad"
