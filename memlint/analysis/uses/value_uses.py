"""What code does with a value: the uses of an expression, through the names that it is bound to.

The other direction of `reaching_definitions`, one step at a time: `uses_of` gives what happens to the value
next, and for what is computed from it the caller asks again. Names are followed by liveness, so a use after
the name was bound to something else is none.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.tree import dotted

_COMPUTES = (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Await)
_MEMBERS = (cst.Element, cst.StarredElement, cst.DictElement, cst.StarredDictElement)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
_TESTS = (cst.If, cst.While, cst.Assert)


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One use of a value.

    how: "argument" (`node` is the call, `arg` where it is passed), "method" (the call, `name`), "attribute"
    (`name` is read), "part" (it is indexed), "computed" (`node` is an expression of it), "compared", "member"
    (of the container `node`), "added" (`node` is an augmented assignment, `name` is "target" where the value
    itself is added to), "stored" (`node` is an attribute or a subscript), "returned", "called", "dropped",
    "tested" (a condition, an index, a formatted text), "captured" (a name that other code may read at any
    time) or "other".
    """

    how: str
    node: cst.CSTNode
    name: str = ""
    arg: cst.Arg | None = None


def uses_of(model: ScriptModel, node: cst.CSTNode, followed: set[cst.CSTNode] | None = None) -> Iterator[Use]:
    """What happens next to the value of an expression of this file; reads of names are followed to there.

    Reads in `followed` are left out, and those that are followed are added to it: a search that asks for
    the uses of many values passes one set, so that it meets each use once.
    """
    yield from _uses(model, node, set() if followed is None else followed)


def goes_nowhere(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether nothing ever reads the value of an expression, and no name keeps it: `net(x)` on its line,
    `_ = net(x)`, and `net(x) if warm else None` on such a line."""
    above = model.parent(node)
    if isinstance(above, cst.Assign) and any(dotted(t.target).strip("_") for t in above.targets):
        return False
    return all(
        use.how == "dropped"
        or (
            use.how == "computed"
            and isinstance(use.node, (cst.IfExp, cst.BooleanOperation))
            and goes_nowhere(model, use.node)
        )
        for use in uses_of(model, node)
    )


def _uses(model: ScriptModel, node: cst.CSTNode, followed: set[cst.CSTNode]) -> Iterator[Use]:
    """The same, without reads that were `followed`: a name that is added to in a loop leads back to it."""
    above = model.parent(node)
    match above:
        case cst.Assign():
            for target in above.targets:
                yield from _bound(model, target.target, above, followed)
        case cst.AnnAssign():
            yield from _bound(model, above.target, above, followed)
        case cst.AugAssign():
            yield Use("added", above, "target" if above.target is node else "")
            yield from _bound(model, above.target, above, followed)
        case cst.NamedExpr():
            yield from _uses(model, above, followed)
            if isinstance(above.target, cst.Name):
                yield from _reads(model, above.target, None, followed)
        case cst.For() | cst.CompFor():
            yield from _bound(model, above.target, None, followed)
        case _:
            yield from _direct(model, node, above)


def _direct(model: ScriptModel, node: cst.CSTNode, above: cst.CSTNode | None) -> Iterator[Use]:
    """The use of a value where it stands, by the node above it."""
    match above:
        case cst.Arg():
            call = model.parent(above)
            yield Use("argument", call, arg=above) if isinstance(call, cst.Call) else Use("other", above)
        case cst.Attribute():
            yield _attribute(model, above)
        case cst.Call():
            yield Use("called", above)
        case cst.Subscript():
            yield Use("part", above)
        case cst.ComparisonTarget():
            yield Use("compared", model.parent(above) or above)
        case cst.Comparison():
            yield Use("compared", above)
        case cst.IfExp():
            yield Use("tested", above) if above.test is node else Use("computed", above)
        case cst.Return():
            yield Use("returned", above)
        case cst.Expr() | cst.Del():
            yield Use("dropped", above)
        case cst.FormattedStringExpression() | cst.Index() | cst.Slice() | cst.CompIf():
            yield Use("tested", above)
        case _ if isinstance(above, _MEMBERS):
            yield Use("member", model.parent(above) or above)
        case _ if isinstance(above, _COMPREHENSIONS):
            yield Use("member", above)
        case _ if isinstance(above, _COMPUTES):
            yield Use("computed", above)
        case _ if isinstance(above, _TESTS):
            yield Use("tested", above)
        case _:
            yield Use("other", above or node)


def _attribute(model: ScriptModel, node: cst.Attribute) -> Use:
    call = model.parent(node)
    if isinstance(call, cst.Call) and call.func is node:
        return Use("method", call, node.attr.value)
    return Use("attribute", node, node.attr.value)


def _bound(
    model: ScriptModel, target: cst.BaseExpression, line: cst.CSTNode | None, followed: set[cst.CSTNode]
) -> Iterator[Use]:
    """What becomes of a value that is assigned to a target, whole or in parts."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _bound(model, element.value, line, followed)
    elif isinstance(target, cst.Name):
        yield from _reads(model, target, line, followed)
    else:
        yield Use("stored", target)


def _reads(
    model: ScriptModel, target: cst.Name, line: cst.CSTNode | None, followed: set[cst.CSTNode]
) -> Iterator[Use]:
    """The uses of a name after the statement that binds it; of all its reads where it is no statement."""
    found = variable(model, target, target.value)
    if found is not None and not found.captured:
        known = line is not None and line in found.flow.ends
        every = (name for names in found.reads.values() for name in names)
        reads = found.reads_after(line) if known and line is not None else list(every)
    elif isinstance(scope := model.names_of(target).scope_of(target).node, _COMPREHENSIONS):
        same = (n for n in model.every(cst.Name, scope) if n.value == target.value)
        reads = [n for n in same if _is_variable(model, n)]
    else:
        yield Use("captured", target)
        return
    for read in dict.fromkeys(reads):
        if read is not target and read not in followed:
            followed.add(read)
            yield from _uses(model, read, followed)


def _is_variable(model: ScriptModel, node: cst.Name) -> bool:
    """Whether a name stands for a variable, not for an attribute or the keyword of an argument."""
    above = model.parent(node)
    return not (
        (isinstance(above, cst.Attribute) and above.attr is node)
        or (isinstance(above, cst.Arg) and above.keyword is node)
    )


def uses_of_parameter(model: ScriptModel, param: cst.Param) -> Iterator[Use]:
    """What a function does with an argument: the uses of the parameter until it is bound again."""
    function = model.function_of(param)
    found = variable(model, function.body, param.name.value) if function is not None else None
    if found is None or found.captured:
        yield Use("captured", param)
        return
    for read in dict.fromkeys(found.reads_from(found.flow.entry)):
        yield from uses_of(model, read)
