"""Asserts of the project under simulation: one that fails after an invented value is passed over."""

from __future__ import annotations

import ast
from typing import Any

from memlint.runtime.child.limits.rewrite import Make, Transformer
from memlint.runtime.simulate.values import Values

NAME = "__memlint_holds__"


class _Asserts(Transformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:  # noqa: N802 - a name of ast
        """Put the call around the condition; the message stays."""
        self.generic_visit(node)
        if not isinstance(node.test, ast.Tuple):
            call = ast.Call(ast.Name(NAME, ast.Load()), [node.test], [])
            node.test = ast.copy_location(call, node.test)
        return node


def rewriting(values: Values) -> tuple[Make, dict[str, Any]]:
    """What changes the asserts of a file, and the name that they call then.

    Where nothing was made up so far, a condition that does not hold is the script's own failure. Where
    something was, nobody can tell: the assert is passed over, and the report says so at its line.
    """

    def holds(condition: Any) -> bool:
        found = bool(condition)
        if not found and (before := values.latest()):
            values.count(f"assert passed over: it failed after {before}")
            return True
        return found

    return _Asserts, {NAME: holds}
