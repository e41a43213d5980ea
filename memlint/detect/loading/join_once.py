"""The fix of a tensor that grows by torch.cat: a list in the loop, one concatenation after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import libcst as cst

from memlint.analysis.dataflow.control_flow import FlowNode
from memlint.analysis.dataflow.definitions import assigned
from memlint.analysis.dataflow.liveness import Variable, reads_frames
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.fixes.rewrites import argument_source, indented
from memlint.analysis.match import InsertAfter, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.analysis.values import Tensor
from memlint.detect.loading.joins import joins_one
from memlint.finding import Applicability
from memlint.syntax.expressions import place

_WRITTEN = "a piece is written in place elsewhere, which a list would see"
_UNSEEN = "code around it may read the variable by other means than its name"
_ALIAS = "the list holds the tensors themselves: what is written into one of them later is seen in it"


def places(found: Mapping[FlowNode, Iterable[cst.Name]]) -> list[cst.Name]:
    """The names that a variable is read, or bound, by."""
    return [name for names in found.values() for name in names]


def join_once(
    model: ScriptModel, retained: RetainedValue, grown: Variable, line: cst.SimpleStatementLine
) -> Plan | str:
    """A list in the loop and one concatenation after it; else why not, "" for what is not special.

    The first value becomes the first entry, so that type, shape and device of the result stay what they are.
    """
    store, binds = retained.store, [model.statement_of(name) for name in places(grown.binds)]
    first = next((b for b in binds if b is not line), None)
    call = line.body[0].value if isinstance(line.body[0], cst.Assign) else None
    if len(binds) != 2 or not isinstance(first, cst.SimpleStatementLine) or not isinstance(call, cst.Call):
        return ""
    begun, loop = first.body[0], _beside(model, line, first)
    if loop is None or len(first.body) + len(line.body) > 2 or not isinstance(begun, cst.Assign):
        return ""
    value, name = store.value, store.target
    made = _first_value(begun, name) if joins_one(model, call, name) else None
    if made is None or not _only_after(model, grown, loop, line):
        return ""
    written = {written_in_place(model, piece) for piece in (made, store.value_node)}
    scope = model.function_of(line) or model.module
    if reads_frames(model, scope) or (model.notebook and scope is model.module):
        return _UNSEEN
    if "yes" in written:
        return _WRITTEN
    safe = written == {"no"} and isinstance(value, Tensor) and not value.opaque and not value.parts
    rest = "".join(f", {argument_source(model, arg)}" for arg in call.args[1:])
    # A view in a list would keep all of what it is a view of.
    cut = value.parts if isinstance(value, Tensor) else isinstance(store.value_node, cst.Subscript)
    piece = with_method(model, store.value_node, "clone()") if cut else model.code(store.value_node).strip()
    return Plan(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        f"gather in a list and join it once after the loop as `{name}`",
        (
            Replace(made, f"[{indented(model, made, made)}]"),
            Replace(line, f"{name}.append({piece})"),
            InsertAfter(loop, f"{name} = {model.code(call.func)}({name}{rest})"),
        ),
        "" if safe else _ALIAS,
    )


def _first_value(begun: cst.Assign, name: str) -> cst.BaseExpression | None:
    """The expression that a variable begins with, also in `a, b = f(), g()`; None for another variable."""
    bound = assigned(begun.targets[0].target, begun.value, "value") if len(begun.targets) == 1 else ()
    found = (made.node for target, made in bound if made.kind == "value" and place(target) == name)
    made = next(found, None)
    return made if isinstance(made, cst.BaseExpression) and not isinstance(made, cst.Name) else None


def _beside(model: ScriptModel, line: cst.CSTNode, first: cst.CSTNode) -> cst.CSTNode | None:
    """The outermost loop around `line` that surely begins and ends after `first` is done.

    None where a handler, an arm or a context manager that may swallow errors lies between.
    """
    loop: cst.CSTNode | None = None
    block = model.parent(first)
    for above in model.ancestors(line):
        if above is block:
            return loop
        if isinstance(above, (cst.For, cst.While)):
            loop = above
        elif _may_leave(model, above) or (loop is not None and isinstance(above, (cst.If, cst.Else))):
            return None
    return None


def _may_leave(model: ScriptModel, above: cst.CSTNode) -> bool:
    """Whether a block may be left by an error that is handled, or is another scope."""
    if isinstance(above, cst.With):
        made = [i.item.func if isinstance(i.item, cst.Call) else i.item for i in above.items]
        return not all(model.path_of(node).startswith("torch.") for node in made)
    return isinstance(above, (cst.Try, cst.TryStar, cst.FunctionDef))


def _only_after(model: ScriptModel, grown: Variable, loop: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether everything but the concatenation reads the variable when the loop is done."""
    after = {id(read) for read in grown.reads_after(loop)}
    around = {id(read): list(model.ancestors(read)) for read in places(grown.reads)}
    others = {read: above for read, above in around.items() if line not in above}
    # An error in the loop may be handled, and what comes then would read the list.
    tries = (b for b in model.ancestors(loop) if isinstance(b, (cst.Try, cst.TryStar, cst.With)))
    handled = [block.body for block in tries if _may_leave(model, block)]
    return all(
        read in after and loop not in above and all(block in above for block in handled)
        for read, above in others.items()
    )
