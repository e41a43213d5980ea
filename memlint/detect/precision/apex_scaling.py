"""What `scale_loss` of apex scales: the loss, the optimizer, the backward inside."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.tree import dotted, statements


@dataclass(frozen=True, slots=True, eq=False)
class ApexScaling:
    """One `scale_loss(loss, optimizer)` with the backward that it is for.

    `statement` is all of it: the line, or the `with` around the backward. `keeps` is the code between the
    parentheses of `backward`.
    """

    statement: cst.BaseStatement
    loss: str
    optimizer: str
    keeps: str


def scaling(model: ScriptModel, call: cst.Call) -> ApexScaling | None:
    """What a call of scale_loss does, if it has one of the two usual forms; else None."""
    arguments = _arguments(model, call)
    if arguments is None:
        return None
    loss, optimizer = arguments
    parent = model.parent(call)
    line = model.statement_of(call)
    if isinstance(parent, cst.WithItem) and isinstance(line, cst.With) and len(line.items) == 1:
        backward = _only_backward(line, parent)
        return ApexScaling(line, loss, optimizer, _inside(model, backward)) if backward else None
    if isinstance(parent, cst.Attribute) and parent.attr.value == "backward":
        outer = model.parent(parent)
        if isinstance(outer, cst.Call) and isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            small = line.body[0]
            if isinstance(small, cst.Expr) and small.value is outer:
                return ApexScaling(line, loss, optimizer, _inside(model, outer))
    return None


def gives_back(line: cst.Assign, call: cst.Call) -> bool:
    """Whether `model, optimizer = initialize(model, optimizer, ...)` assigns what it was given."""
    target = line.targets[0].target
    if len(line.targets) != 1 or not isinstance(target, cst.Tuple):
        return False
    names = [dotted(element.value) for element in target.elements]
    return all(names) and names == [
        dotted(arg.value) for arg in call.args[: len(names)] if arg.keyword is None
    ]


def _arguments(model: ScriptModel, call: cst.Call) -> tuple[str, str] | None:
    """The loss and the one optimizer of a call; None where there are several or more is asked for."""
    given: dict[str, cst.BaseExpression] = {}
    for name, arg in zip(("loss", "optimizers"), call.args, strict=False):
        if not arg.star:
            given[arg.keyword.value if arg.keyword is not None else name] = arg.value
    if len(call.args) != 2 or set(given) != {"loss", "optimizers"} or not dotted(given["optimizers"]):
        return None
    return model.code(given["loss"]), dotted(given["optimizers"])


def _only_backward(block: cst.With, item: cst.WithItem) -> cst.Call | None:
    """The `scaled.backward()` that is all a `with` block does."""
    body = statements(block.body)
    alias = item.asname.name if item.asname is not None else None
    line = body[0] if len(body) == 1 else None
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else line
    call = small.value if isinstance(small, cst.Expr) else None
    if (
        isinstance(alias, cst.Name)
        and isinstance(call, cst.Call)
        and dotted(call.func) == f"{alias.value}.backward"
    ):
        return call
    return None


def _inside(model: ScriptModel, call: cst.Call) -> str:
    return ", ".join(model.code(arg).strip().rstrip(",") for arg in call.args)


def comments_inside(statement: cst.BaseStatement) -> list[str]:
    """The comments between the header and the body of a `with`, which go when it is replaced by a line."""
    if not isinstance(statement, cst.With) or not isinstance(statement.body, cst.IndentedBlock):
        return []
    inner = statement.body.body[0]
    above = inner.leading_lines if isinstance(inner, cst.SimpleStatementLine) else ()
    found = [statement.body.header.comment, *(line.comment for line in above)]
    return [comment.value for comment in found if comment is not None]
