"""Adaptive softmax under simulation: it counts the rows of all clusters, which masks may not tell.

Where targets are not known, each cluster is taken to have the share of rows that masks select, and torch
would call the targets wrong.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from torch.nn.modules import adaptive

from memlint.runtime.simulate.private import FakeTensor
from memlint.runtime.simulate.values import Values

_NAME = "__memlint_is_wrong__"
_COUNTED = "used_rows != batch_size"


def install(values: Values) -> None:
    """Let forward() compare the rows where it has found out which they are, if it is as is known."""

    def is_wrong(count: int, rows: int, target: Any) -> bool:
        return count != rows and not (isinstance(target, FakeTensor) and values.known(target) is None)

    forward = adaptive.AdaptiveLogSoftmaxWithLoss.forward
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(forward)))
    except OSError:
        return
    branches = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    counted = [node for node in branches if ast.unparse(node.test) == _COUNTED]
    for node in counted:
        node.test = ast.parse(f"{_NAME}(used_rows, batch_size, target)", mode="eval").body
    if not counted:
        return
    ast.increment_lineno(tree, forward.__code__.co_firstlineno - 1)
    found: dict[str, Any] = {}
    vars(adaptive)[_NAME] = is_wrong
    exec(compile(tree, adaptive.__file__, "exec"), vars(adaptive), found)
    adaptive.AdaptiveLogSoftmaxWithLoss.forward = found["forward"]  # type: ignore[method-assign]
