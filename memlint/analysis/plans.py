"""Building blocks of plans: the replacement texts that several rules need."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.match import AddImport, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability

_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def with_method(model: ScriptModel, node: cst.CSTNode, method: str) -> str:
    """The source of `node` with a method call appended, in parentheses where Python needs them."""
    bare = node.with_changes(lpar=[], rpar=[]) if getattr(node, "lpar", None) else node
    text = model.code(bare)
    return f"{text}.{method}" if isinstance(node, _ATOMS) else f"({text}).{method}"


def detach(model: ScriptModel, node: cst.CSTNode, *, safe: bool) -> Plan:
    """Append `.detach()`; unsafe when the value may be no tensor or may still be differentiated."""
    return Plan(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "add `.detach()`",
        (Replace(node, with_method(model, node, "detach()")),),
        "" if safe else "right only if the value is a tensor and nothing differentiates through it later",
    )


def item(model: ScriptModel, node: cst.CSTNode) -> Plan:
    """Append `.item()`: another sum (float64) and one wait for the device per call."""
    return Plan(
        Applicability.UNSAFE,
        "add `.item()`",
        (Replace(node, with_method(model, node, "item()")),),
        "the sum is taken in float64 and every call waits for the device",
    )


def no_grad_header(model: ScriptModel) -> tuple[str, tuple[AddImport, ...]]:
    """`with torch.no_grad():` in the words of the file, and the import that it takes."""
    for bound, paths in model.names.module_scope.imports.items():
        if paths == {"torch"}:
            return f"with {bound}.no_grad():", ()
    return "with torch.no_grad():", (AddImport("import torch"),)


def shown_raw(model: ScriptModel, node: cst.CSTNode, target: str) -> bool:
    """Whether an accumulator is printed as a tensor, whose text would lose its `grad_fn=`."""
    scope = model.function_of(node) or model.module
    shown = {target}
    for found in model.walk(scope):
        if (
            isinstance(found, cst.Assign)
            and isinstance(found.value, cst.BinaryOperation)
            and _mentions(model, found.value, shown)
        ):
            shown |= {model.code(t.target) for t in found.targets if model.code(t.target) != target}
    for found in model.walk(scope):
        if isinstance(found, cst.FormattedStringExpression):
            if found.format_spec is None and _is_tensor_text(model, found.expression, shown):
                return True
        elif (
            isinstance(found, cst.Call)
            and model.code(found.func).rpartition(".")[2]
            in (
                "print",
                "str",
                "repr",
                "write",
                "info",
                "format",
                "debug",
            )
            and any(_is_tensor_text(model, a.value, shown) for a in found.args)
        ):
            return True
    return False


def _mentions(model: ScriptModel, node: cst.BaseExpression, names: set[str]) -> bool:
    return any(isinstance(n, (cst.Name, cst.Attribute)) and model.code(n) in names for n in model.walk(node))


def _is_tensor_text(model: ScriptModel, node: cst.BaseExpression, names: set[str]) -> bool:
    """Whether an expression is an accumulator or arithmetic on one, not yet a number."""
    if isinstance(node, cst.BinaryOperation):
        return _is_tensor_text(model, node.left, names) or _is_tensor_text(model, node.right, names)
    return isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)) and model.code(node) in names


def reads_as_number(model: ScriptModel, node: cst.CSTNode, target: str) -> bool:
    """Whether an accumulator starts as a Python number and no tensor method is ever called on it."""
    starts = False
    for found in model.walk(model.function_of(node) or model.module):
        if isinstance(found, cst.Assign) and any(model.code(t.target) == target for t in found.targets):
            if isinstance(found.value, (cst.Integer, cst.Float)):
                starts = True
            elif target not in model.code(found.value):
                return False
        elif (
            (isinstance(found, cst.Attribute) and model.code(found.value) == target)
            or (
                isinstance(found, cst.Arg)
                and model.code(found.value) == target
                and not _formats(model, found)
            )
            or (
                isinstance(found, cst.Return)
                and found.value is not None
                and target in model.code(found.value)
            )
        ):
            return False
    return starts


def _formats(model: ScriptModel, arg: cst.Arg) -> bool:
    call = model.parent(arg)
    return isinstance(call, cst.Call) and model.code(call.func).rpartition(".")[2] in (
        "print",
        "float",
        "format",
        "str",
        "round",
        "append",
        "info",
    )


def stays_local(model: ScriptModel, node: cst.CSTNode, name: str) -> bool:
    """Whether a local container is only filled, indexed, iterated and given to tensor functions here."""
    scope = model.function_of(node)
    if "." in name or "[" in name or (scope is None and name in _globals(model)):
        return False
    for found in model.walk(scope or model.module):
        if not isinstance(found, cst.Name) or found.value != name:
            continue
        parent = model.parent(found)
        if isinstance(parent, (cst.Return, cst.Yield, cst.Global, cst.Nonlocal)):
            return False
        if isinstance(parent, cst.Element) and not isinstance(model.parent(parent), cst.Del):
            return False
        if isinstance(parent, cst.Arg) and not _pure_call(model, parent):
            return False
    return True


def _globals(model: ScriptModel) -> set[str]:
    return {item.name.value for node in model.names.every(cst.Global) for item in node.names}


def _pure_call(model: ScriptModel, arg: cst.Arg) -> bool:
    call = model.parent(arg)
    if not isinstance(call, cst.Call):
        return False
    name = model.code(call.func)
    path = model.names.one(call.func)
    return path.startswith(("torch.", "numpy.", "statistics.")) or name in (
        "len",
        "sum",
        "print",
        "min",
        "max",
        "list",
        "float",
        "zip",
        "enumerate",
        "sorted",
        "str",
    )
