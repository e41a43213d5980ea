"""Building blocks of plans: the replacement texts that several rules need."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.facts import Loop
from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.fixes.texts import gets_into_text
from memlint.analysis.knowledge import libraries
from memlint.analysis.match import AddImport, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import asks_for_graph
from memlint.finding import Applicability
from memlint.syntax.expressions import place, reads_place, shown_place
from memlint.syntax.tree import dotted, last_name

_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)
_UNSURE = "right only if the value is a tensor and nothing differentiates through it later"
PRINTED = "what is printed changes: the text of a detached tensor has no `grad_fn=`"
HANDED = "right only if no caller differentiates or prints what this function returns"
ASKED = "the file asks a tensor for `requires_grad` or `grad_fn`, and the answer may change"
"""The caution of a fix after which fewer tensors carry a graph, where `asks_for_graph` holds."""

_AS_NUMBERS = frozenset("item tolist numpy float int len detach size dim numel".split())
_JOINING = frozenset("sum max min sorted".split())


def with_method(model: ScriptModel, node: cst.CSTNode, method: str) -> str:
    """The source of `node` with a method call appended, in parentheses where Python needs them."""
    bare = node.with_changes(lpar=[], rpar=[]) if getattr(node, "lpar", None) else node
    text = indented(model, node, bare) if isinstance(bare, cst.BaseExpression) else model.code(bare)
    return f"{text}.{method}" if isinstance(node, _ATOMS) else f"({text}).{method}"


def detach(
    model: ScriptModel, node: cst.CSTNode, *, safe: bool, printed: bool = False, handed: bool = False
) -> Plan:
    """Append `.detach()`; unsafe where it may be no tensor or is differentiated later, where it is `printed`
    or `handed` to callers out of view. `safe` says that it is a tensor, and nothing in view notices."""
    asked = asks_for_graph(model)
    return Plan(
        Applicability.SAFE if safe and not asked and not handed else Applicability.UNSAFE,
        "add `.detach()`",
        (Replace(node, with_method(model, node, "detach()")),),
        PRINTED if printed else _UNSURE if not safe else HANDED if handed else ASKED if asked else "",
    )


def item(model: ScriptModel, node: cst.CSTNode) -> Plan:
    """Append `.item()`: another sum (float64) and one wait for the device per call."""
    return Plan(
        Applicability.UNSAFE,
        "add `.item()`",
        (Replace(node, with_method(model, node, "item()")),),
        "the sum is taken in float64 and every call waits for the device",
    )


def together(first: Plan, *others: Plan) -> Plan:
    """One plan for the changes of several, as cautious as the most cautious of them."""
    changes = tuple(change for plan in (first, *others) for change in plan.changes)
    cautious = next((p for p in (first, *others) if p.applicability is not Applicability.SAFE), first)
    return replace(cautious, changes=changes)


def no_grad_header(model: ScriptModel) -> tuple[str, tuple[AddImport, ...]]:
    """`with torch.no_grad():` in the words of the file, and the import that it takes."""
    for bound, paths in model.names.module_scope.imports.items():
        if paths == {"torch"}:
            return f"with {bound}.no_grad():", ()
    return "with torch.no_grad():", (AddImport("import torch"),)


def shown_raw(model: ScriptModel, node: cst.CSTNode, target: str) -> bool:
    """Whether an accumulator is printed as a tensor, whose text would lose its `grad_fn=`."""
    return _shown_raw_in(model, model.function_of(node), target) or gets_into_text(model, node, target)


@cached
def _shown_raw_in(model: ScriptModel, scope: cst.FunctionDef | None, target: str) -> bool:
    shown = _computed_from(model, scope or model.module, target)
    if _is_shown(model, scope or model.module, shown):
        return True
    return scope is not None and _gives_back(model, scope, shown) and _is_result_shown(model, scope)


def shows_what_it_makes(model: ScriptModel, loop: Loop, made: Collection[int]) -> bool:
    """Whether what a loop computes of these values is printed as a tensor: there, or gathered."""
    trace = model.trace
    kept = (k for k in trace.stores.values() if loop in k.loops and not k.ids.isdisjoint(made))
    if any(shown_raw(model, k.node, k.target) for k in kept):
        return True
    calls = {e.node for e in (*trace.forwards.values(), *trace.criteria.values()) if loop in e.loops}
    lines = (n for n in model.every(cst.Assign, loop.node) if n.value in calls)
    names = {place(t.target) for line in lines for t in line.targets} - {""}
    return _is_shown(model, loop.node, names)


def shows_kept(model: ScriptModel, keeper: cst.BaseExpression, owner: cst.ClassDef | None) -> bool:
    """Whether an attribute of an object that keeps tensors is printed as it is: `print(meter.avg)`.

    `owner` is the class of the object, whose methods may print as well.
    """
    box = place(keeper)
    read = model.names.every(cst.Attribute)
    names = {place(node) for node in read if box and place(node.value) == box}
    if _is_shown(model, model.module, names):
        return True
    givers = [f for f in model.names.every(cst.FunctionDef) if _gives_back(model, f, names)]
    if any(_is_result_shown(model, function) for function in givers):
        return True
    if owner is None:
        return False
    own = {place(n) for n in model.every(cst.Attribute, owner) if dotted(n.value) == "self"}
    return _is_shown(model, owner, own)


def _computed_from(model: ScriptModel, scope: cst.CSTNode, target: str) -> set[str]:
    """An accumulator and the names of what is computed from it, such as its mean."""
    found = {target}
    for line in model.every(cst.Assign, scope):
        if type(line.value) is cst.BinaryOperation and _mentions(model, line.value, found):
            found |= {model.code(t.target) for t in line.targets}
    return found


def _gives_back(model: ScriptModel, function: cst.FunctionDef, names: set[str]) -> bool:
    """Whether a function returns an accumulator as the tensor that it is."""
    return any(
        found.value is not None and _is_tensor_text(model, found.value, names)
        for found in model.every(cst.Return, function)
    )


def _is_result_shown(model: ScriptModel, function: cst.FunctionDef) -> bool:
    """Whether the file prints what a call of a function gives, at once or under a name."""
    name = function.name.value
    calls = {c for c in model.names.calls if dotted(c.func).rpartition(".")[2] == name}
    given = [model.parent(call) for call in calls]
    names = {model.code(t.target) for a in given if isinstance(a, cst.Assign) for t in a.targets}
    return _is_shown(model, model.module, {*names, *map(model.code, calls)})


def _is_shown(model: ScriptModel, scope: cst.CSTNode, shown: set[str]) -> bool:
    """Whether a piece of code turns one of these expressions into text as it is."""
    for part in model.every(cst.FormattedStringExpression, scope):
        if part.format_spec is None and _is_tensor_text(model, part.expression, shown):
            return True
    return any(
        (last_name(call.func) in libraries.WRITES_TEXT or _is_of_project(model, call))
        and any(_is_tensor_text(model, a.value, shown) for a in call.args)
        for call in model.every(cst.Call, scope)
    )


def _is_of_project(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a function of another module of the project is called: it may print what it is given."""
    func = call.func
    if not isinstance(func, cst.Name) or not model.path_of(func):
        return False
    return any(not model.owns(found) for found in definitions_meant(model, func))


def _mentions(model: ScriptModel, node: cst.BaseExpression, names: set[str]) -> bool:
    return reads_place(node, names)


def _is_tensor_text(model: ScriptModel, node: cst.BaseExpression, names: set[str]) -> bool:
    """Whether an expression is an accumulator or arithmetic on one, not yet a number."""
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, cst.Modulo):
            return False
        return _is_tensor_text(model, node.left, names) or _is_tensor_text(model, node.right, names)
    if isinstance(node, _ATOMS) and model.code(node) in names:
        return True
    if isinstance(node, cst.Subscript):
        return _is_tensor_text(model, node.value, names)
    if isinstance(node, cst.Call) and last_name(node.func) not in _AS_NUMBERS:
        joined = last_name(node.func) in _JOINING or model.path_of(node.func).startswith("torch.")
        given = [arg.value for arg in node.args] if joined else []
        given += [node.func.value] if isinstance(node.func, cst.Attribute) else []
        return any(_is_tensor_text(model, part, names) for part in given)
    return False


def reads_as_number(model: ScriptModel, node: cst.CSTNode, target: str) -> bool:
    """Whether an accumulator starts as a Python number and it, and its mean, never need to be a tensor."""
    return _is_read_as_number(model, model.function_of(node) or model.module, shown_place(target))


@cached
def _is_read_as_number(model: ScriptModel, scope: cst.CSTNode, target: str) -> bool:
    starts = False
    for line in model.every(cst.Assign, scope):
        if any(place(t.target) == target for t in line.targets):
            if isinstance(line.value, (cst.Integer, cst.Float)):
                starts = True
            elif not reads_place(line.value, [target]):
                return False
    names = _computed_from(model, scope, target)
    if any(_is_tensor_text(model, found.value, names) for found in model.every(cst.Attribute, scope)):
        return False
    given = (arg for arg in model.every(cst.Arg, scope) if place(arg.value) == target)
    if not all(_formats(model, arg) for arg in given):
        return False
    returned = (found.value for found in model.every(cst.Return, scope) if found.value is not None)
    return starts and not any(reads_place(value, [target]) for value in returned)


def _formats(model: ScriptModel, arg: cst.Arg) -> bool:
    call = model.parent(arg)
    return isinstance(call, cst.Call) and last_name(call.func) in (
        "print",
        "float",
        "format",
        "str",
        "round",
        "append",
        "info",
    )
