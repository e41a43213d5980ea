"""MEM704: the best weights are kept as an alias of the live ones, or as a second copy on the GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.names import Names
from memlint.syntax.tree import root_name

_NOT_MODULE = re.compile(r"opt|sched|scaler|loss|crit|meter|metric|sampler", re.IGNORECASE)
_TRAINING = re.compile(r"train|fit|learn|backward|\.step\(|load_state_dict|update", re.IGNORECASE)
_MOVED = re.compile(r"\.cuda\(|\.to\((?!\s*torch\.(float|half|bfloat|int|long))")
_SHALLOW = ("copy.copy", "collections.OrderedDict")


@dataclass(frozen=True, slots=True)
class Kept:
    """`target = <weights of owner>`: `value` is the expression, `how` alias or copy."""

    target: cst.BaseExpression
    value: cst.BaseExpression
    owner: cst.BaseExpression
    how: str
    appended: bool = False


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Weights stored as the best so far in code that goes on training them."""
    for node, names in _calls(model):
        owner, how = _weights(model, names, node)
        kept = _stored(model, node, owner, how) if owner is not None else None
        if kept is None or not _is_reached(model, node) or not _goes_on(model, node, kept):
            continue
        if kept.how == "alias" and (kept.appended or _is_used(model, kept)):
            yield _match(model, kept, "appended" if kept.appended else "default")
        elif kept.how == "copy" and _is_on_gpu(model, kept):
            yield _match(model, kept, "snapshots" if kept.appended else "copied")


def _calls(model: ScriptModel) -> Iterator[tuple[cst.Call, Names]]:
    """The calls of this file, and of others that its code leads to, each with the names of its module."""
    for names in model.all_names() if model.trace.called else (model.names,):
        for call in names.calls:
            yield call, names


def _is_reached(model: ScriptModel, node: cst.Call) -> bool:
    """Whether a call stands in this file, or in a function of another one that this file's code leads to."""
    return model.owns(node) or id(model.function_of(node)) in model.machine.visited


def _match(model: ScriptModel, kept: Kept, variant: str) -> Match:
    owner = model.short(kept.owner)
    plans: tuple[Plan, ...] = ()
    copied = f"{{k: v.detach().cpu().clone() for k, v in {model.code(kept.owner)}.state_dict().items()}}"
    if "state_dict" in model.code(kept.value) and not isinstance(kept.value, (cst.Dict, cst.DictComp)):
        plans = (
            Plan(
                Applicability.UNSAFE,
                "keep a copy on the CPU",
                (Replace(kept.value, copied),),
                "this changes which weights are restored: it mends a bug"
                if kept.how == "alias"
                else "the copy then lies on the CPU; each one waits for the GPU",
            ),
        )
    return Match(kept.value, {"target": model.short(kept.target), "model": owner}, variant, plans=plans)


def _weights(model: ScriptModel, names: Names, node: cst.Call) -> tuple[cst.BaseExpression | None, str]:
    """The module whose weights a call gives, and whether it gives them as an alias or as a copy."""
    if len(node.args) == 1 and names.one(node.func) == "copy.deepcopy":
        inner = node.args[0].value
        owner = _state_of(model, inner)
        if owner is not None:
            return owner, "copy"
        named = isinstance(inner, (cst.Name, cst.Attribute)) and _is_module_name(model, inner)
        return (inner, "copy") if named else (None, "")
    return _state_of(model, node), "alias"


def _state_of(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    if node.func.attr.value != "state_dict" or _NOT_MODULE.search(model.code(node.func.value)):
        return None
    return node.func.value


def _is_module_name(model: ScriptModel, node: cst.BaseExpression) -> bool:
    last = model.code(node).rpartition(".")[2]
    return bool(re.search(r"(^|_)(model|net|network|policy|encoder|agent)\d*$", last, re.IGNORECASE))


def _stored(model: ScriptModel, node: cst.Call, owner: cst.BaseExpression, how: str) -> Kept | None:
    """Where the weights are put: through a dictionary or a shallow copy they are the same tensors."""
    value: cst.BaseExpression = node
    parent = model.parent(value)
    while parent is not None:
        if isinstance(parent, cst.Arg):
            call = model.parent(parent)
            if not isinstance(call, cst.Call):
                return None
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "append":
                return Kept(call.func.value, value, owner, how, appended=True)
            if model.code(call.func) != "dict" and model.path_of(call.func) not in _SHALLOW:
                return None
            value, parent = call, model.parent(call)
        elif isinstance(parent, (cst.DictElement, cst.Element)):
            holder = model.parent(parent)
            if not isinstance(holder, (cst.Dict, cst.Tuple)):
                return None
            above = model.parent(holder)
            target = above.targets[0].target if isinstance(above, cst.Assign) else None
            if isinstance(holder, cst.Tuple) and isinstance(target, cst.Tuple):
                position = [e.value for e in holder.elements].index(value)
                return Kept(target.elements[position].value, value, owner, how)
            value, parent = holder, above
        elif isinstance(parent, cst.Attribute):
            value, parent = _through_method(model, parent, value)
        elif isinstance(parent, cst.Assign) and len(parent.targets) == 1 and parent.value is value:
            return Kept(parent.targets[0].target, value, owner, how)
        else:
            return None
    return None


def _through_method(
    model: ScriptModel, attribute: cst.Attribute, value: cst.BaseExpression
) -> tuple[cst.BaseExpression, cst.CSTNode | None]:
    """`state_dict().copy()` and `{k: v for k, v in state_dict().items()}` hold the same tensors."""
    call = model.parent(attribute)
    if isinstance(call, cst.Call) and attribute.attr.value == "copy":
        return call, model.parent(call)
    clause = model.parent(call) if call is not None else None
    holder = model.parent(clause) if isinstance(clause, cst.CompFor) else None
    if attribute.attr.value == "items" and isinstance(holder, cst.DictComp):
        names = clause.target.elements if isinstance(clause.target, cst.Tuple) else ()  # type: ignore[union-attr]
        last = model.code(names[-1].value) if names else ""
        if model.code(holder.value) in (last, f"{last}.detach()", f"{last}.data"):
            return holder, model.parent(holder)
    return value, None


def _goes_on(model: ScriptModel, node: cst.Call, kept: Kept) -> bool:
    """Whether this is the best of several states of one model, which is trained further afterwards."""
    function = model.function_of(node)
    target = model.code(kept.target)
    conditional, loop = False, None
    for above in model.ancestors(node):
        if isinstance(above, (cst.For, cst.While)):
            loop = above
            break
        if above is function:
            break
        conditional = conditional or (isinstance(above, cst.If) and _compares(model, above.test))
    if not conditional and not kept.appended and "best" not in target.lower():
        return False
    if loop is None:
        shared = isinstance(kept.target, cst.Attribute) or _is_outer(model, function, target)
        return shared and conditional and function is not None and not kept.appended
    trains = _TRAINING.search(model.code(loop)) or any(
        around.node is loop for step in model.trace.steps.values() for around in step.loops
    )
    return bool(trains) and not _is_made_in(model, kept.owner, loop)


def _compares(model: ScriptModel, test: cst.BaseExpression) -> bool:
    wanted = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
    if any(
        isinstance(n, cst.Comparison) and any(isinstance(t.operator, wanted) for t in n.comparisons)
        for n in model.walk(test)
    ):
        return True
    return bool(re.search(r"best|improv", model.code(test), re.IGNORECASE))


def _is_outer(model: ScriptModel, function: cst.FunctionDef | None, name: str) -> bool:
    if function is None:
        return False
    return any(
        isinstance(n, (cst.Global, cst.Nonlocal)) and name in {i.name.value for i in n.names}
        for n in model.walk(function.body)
    )


def _is_made_in(model: ScriptModel, owner: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether every turn of the loop makes a new model: then its weights change no more."""
    wanted = {model.code(owner), root_name(owner)} - {"self"}
    for node in model.walk(loop):
        if isinstance(node, cst.AssignTarget):
            targets = [
                node.target,
                *([e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else []),
            ]
            if any(model.code(t) in wanted for t in targets):
                return True
        if isinstance(node, cst.For) and any(model.code(n) in wanted for n in model.walk(node.target)):
            return True
    return False


def _is_used(model: ScriptModel, kept: Kept) -> bool:
    """Whether what was kept is loaded, saved or returned later, elsewhere than beside the assignment."""
    code = model.code(kept.target)
    short = code.rpartition(".")[2] if isinstance(kept.target, cst.Attribute) else code.partition("[")[0]
    home = model.parent(model.statement_of(kept.value) or kept.value)
    for node in model.names.calls:
        name = model.code(node.func).rpartition(".")[2]
        if name in ("load_state_dict", "save", "set_state_dict") and node.args:
            named = short in re.findall(r"\w+", model.code(node.args[0].value))
            if named and model.parent(model.statement_of(node) or node) is not home:
                return True
    if isinstance(kept.target, cst.Attribute):
        return "best" in short.lower()
    function = model.function_of(kept.value)
    returned = (
        (n for n in model.walk(function.body) if isinstance(n, cst.Return)) if function is not None else ()
    )
    return any(r.value is not None and short in re.findall(r"\w+", model.code(r.value)) for r in returned)


def _is_on_gpu(model: ScriptModel, kept: Kept) -> bool:
    """Whether the file moves its model, or anything, to a device other than the CPU."""
    if "cpu" in model.code(model.statement_of(kept.value) or kept.value):
        return False
    text = model.text
    if re.search(r"device\s*=\s*(torch\.device\()?[\"']cpu[\"']", text) and "cuda" not in text:
        return False
    return bool(_MOVED.search(text))
