"""Code that its author already protected, or that never runs: findings there would only annoy.

A guard is an `if` on a version or on `hasattr`, a `try` that catches the error in question, a test that
expects it, a branch for type checkers, a dead branch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, early_exits, leaves
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.interpret.type_tests import tested_for_none
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import calls_in, literal, same, speaks_of, words_of
from memlint.syntax.tree import dotted, last_name, statements, walk

_CHECKS = pattern(
    r"(?<![a-z])version|\btorch_?v?\d|\b(is_?)?tf_?v?[12](_|\b)|\bis_torch_?[a-z0-9]"
    r"|\bis_\w*(torch|amp|apex)\w*_available|(?-i:[A-Z]_AVAILABLE|_GREATER_)",
    re.IGNORECASE,
)
_LIBRARIES = frozenset("torch amp cuda lr_scheduler tf tensorflow keras".split())
_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError"})
_BROAD = frozenset({"", "Exception", "BaseException"})
_SHORT = 3
_EXPECTS = pattern(r"(raises|[Aa]ssert_?(Raises|Warns)\w*|\bwarns|deprecated_call|suppress)$")


def is_guarded(
    model: ScriptModel, node: cst.CSTNode, member: str = "", errors: frozenset[str] = _CAUGHT
) -> bool:
    """Whether the author protected a node against the error that it raises, or it never runs.

    Args:
        model: the file.
        node: what would be reported.
        member: the name that may be missing; a `hasattr(x, "member")` anywhere protects its uses.
        errors: names of exceptions that count as caught on purpose.
    """
    if member and member in probed(model):
        return True
    below = node
    for above in model.ancestors(node):
        if isinstance(above, cst.If) and _protects(model, above, below):
            return True
        if isinstance(above, cst.IfExp) and below is not above.test and _is_check(model, above.test):
            return True
        if isinstance(above, cst.Try) and _catches(above, below, errors):
            return True
        if isinstance(above, cst.With) and _expects(above):
            return True
        if isinstance(above, cst.IndentedBlock) and _left_before(model, above, below):
            return True
        below = above
    return False


def _left_before(model: ScriptModel, block: cst.IndentedBlock, below: cst.CSTNode) -> bool:
    """Whether a check earlier in a block returns: what follows is its other branch."""
    return any(_is_check(model, exit.test) for exit in early_exits(model, block, below, Leave.RETURN))


def stands_behind(model: ScriptModel, node: cst.CSTNode, asks: Callable[[cst.BaseExpression], bool]) -> bool:
    """Whether a node stands in an `if` or a conditional expression whose test asks something."""
    return any(isinstance(above, (cst.If, cst.IfExp)) and asks(above.test) for above in model.ancestors(node))


def is_expected(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node stands under `with pytest.raises(...)` or the like: what it raises is the point."""
    return any(isinstance(above, cst.With) and _expects(above) for above in model.ancestors(node))


def _expects(block: cst.With) -> bool:
    calls = (n for item in block.items for n in walk(item.item) if type(n) is cst.Call)
    return any(_EXPECTS.search(last_name(call.func)) for call in calls)


def never_runs(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node stands in a dead branch or in one for type checkers."""
    below = node
    for above in model.ancestors(node):
        if isinstance(above, cst.If) and _is_dead(model, above, below):
            return True
        below = above
    return False


def is_not_none(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether the tests above a read of a name or attribute leave no None for it: its branch asks for it, an
    earlier branch left where it was None, or gave it another value."""
    below: cst.CSTNode = node
    for above in model.ancestors(node):
        if isinstance(above, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return False
        if (
            isinstance(above, (cst.If, cst.IfExp))
            and below is not above.test
            and _denies_none(above.test, node, holds=below is above.body)
        ):
            return True
        if isinstance(above, cst.IndentedBlock):
            passed = _branches_before(above, below)
            asked = [b for b in passed if _denies_none(b.test, node, holds=False)]
            if any(leaves(b.body, Leave.ANY) or _gives(model, b.body, node) for b in asked):
                return True
        below = above
    return False


def _branches_before(block: cst.IndentedBlock, statement: cst.CSTNode) -> list[cst.If]:
    """The `if`s of a block that are done when a statement of it begins."""
    earlier = takewhile(lambda line: line is not statement, statements(block))
    return [line for line in earlier if isinstance(line, cst.If)]


def _denies_none(test: cst.BaseExpression, node: cst.BaseExpression, holds: bool) -> bool:
    """Whether an expression is not None where a test holds, or fails."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _denies_none(test.expression, node, not holds)
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And if holds else cst.Or):
        return _denies_none(test.left, node, holds) or _denies_none(test.right, node, holds)
    asked = tested_for_none(test, not holds)
    return same(test, node) if holds and asked is None else asked is not None and same(asked, node)


def _gives(model: ScriptModel, block: cst.CSTNode, node: cst.BaseExpression) -> bool:
    """Whether a block ends with another value for an expression than None."""
    given = [
        line.value
        for statement in statements(block)
        for line in (statement.body if isinstance(statement, cst.SimpleStatementLine) else ())
        if isinstance(line, cst.Assign) and any(same(t.target, node) for t in line.targets)
    ]
    return bool(given) and literal(given[-1]) is not None


def _protects(model: ScriptModel, branch: cst.If, below: cst.CSTNode) -> bool:
    return below is not branch.test and (_is_check(model, branch.test) or _is_dead(model, branch, below))


def _is_dead(model: ScriptModel, branch: cst.If, below: cst.CSTNode) -> bool:
    test = branch.test
    differs = _compares_device_with_text(model, test)
    if differs is not None:
        return below is (branch.body if isinstance(differs, cst.Equal) else branch.orelse)
    if below is branch.body:
        never = isinstance(test, cst.Integer) and test.value == "0"
        return never or dotted(test).rpartition(".")[2] in ("TYPE_CHECKING", "False")
    return below is branch.orelse and dotted(test) == "True"


def _compares_device_with_text(model: ScriptModel, test: cst.BaseExpression) -> cst.BaseCompOp | None:
    """How a test compares a `torch.device` with a string, to which it is never equal; None for others."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    sides, how = (test.left, test.comparisons[0].comparator), test.comparisons[0].operator
    if not isinstance(how, (cst.Equal, cst.NotEqual)):
        return None
    text = next((side for side in sides if isinstance(literal(side), str)), None)
    other = next((side for side in sides if side is not text), None)
    made = value_sources(model, other) if text is not None and other is not None else []
    devices = [m for m in made if isinstance(m.node, cst.Call) and m.kind == "value"]
    all_known = bool(made) and len(devices) == len(made)
    return how if all_known and all(_makes_device(model, m.node) for m in devices) else None


def _makes_device(model: ScriptModel, call: cst.CSTNode) -> bool:
    return isinstance(call, cst.Call) and model.path_of(call.func) == "torch.device"


def _is_check(model: ScriptModel, test: cst.BaseExpression) -> bool:
    """Whether a condition asks for a version or a feature, by itself or through a name that it reads."""
    if _asks(test):
        return True
    flags = _flags(model)
    return any(isinstance(n, cst.Name) and n.value in flags for n in _operands(test))


def _asks(code: cst.BaseExpression) -> bool:
    """Whether the words of an expression ask for a version, or it asks a library for a member."""
    return speaks_of(code, _CHECKS) or any(
        call.args and not _LIBRARIES.isdisjoint(words_of(call.args[0].value))
        for call in calls_in(code, "hasattr", "getattr")
    )


def _operands(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    pending = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.BooleanOperation):
            pending += [node.left, node.right]
        elif isinstance(node, cst.UnaryOperation):
            pending.append(node.expression)
        else:
            yield node


@cached
def _flags(model: ScriptModel) -> set[str]:
    """The module's names that hold the answer to a version or feature check."""
    top = model.names.module_scope
    return {
        target.target.value
        for node in model.names.every(cst.Assign)
        if model.names.scope_of(node) is top and _asks(node.value)
        for target in node.targets
        if isinstance(target.target, cst.Name)
    }


def probed(model: ScriptModel) -> set[str]:
    """The member names that the file asks for with hasattr or getattr."""
    return {
        str(call.args[1].value.evaluated_value)
        for call in model.names.calls
        if type(call.func) is cst.Name and call.func.value in ("hasattr", "getattr") and len(call.args) > 1
        if isinstance(call.args[1].value, cst.SimpleString)
    }


def _catches(block: cst.Try, below: cst.CSTNode, errors: frozenset[str]) -> bool:
    """Whether a handler deals with one of the errors of the body, or `below` is such a handler."""
    if below is block.finalbody or below is block.orelse:
        return False
    handlers = [below] if isinstance(below, cst.ExceptHandler) else block.handlers
    # A broad handler around a whole program is no answer to one missing name.
    broad = _BROAD if len(statements(block.body)) <= _SHORT else frozenset()
    return any(_caught(h) & (errors | broad) and not leaves(h, Leave.RAISE) for h in handlers)


def _caught(handler: cst.ExceptHandler) -> frozenset[str]:
    """The names of the exceptions that a handler catches; "" for a bare `except:`."""
    if handler.type is None:
        return frozenset({""})
    kinds = (
        [e.value for e in handler.type.elements] if isinstance(handler.type, cst.Tuple) else [handler.type]
    )
    return frozenset(dotted(kind).rpartition(".")[2] or "?" for kind in kinds)
