"""MEM117: a Function leaves a tensor on `ctx`, where backward does not free it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import definitions_of
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.dataflow.reaching_definitions import methods
from memlint.analysis.match import Change, InsertBefore, Label, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.detect.retention.autograd_functions import OnContext, autograd_functions, kept_on_context
from memlint.detect.retention.context_uses import (
    input_is_written,
    is_freed,
    is_private_to,
    is_shared,
    is_small,
)
from memlint.finding import Applicability
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import mentions, place
from memlint.syntax.tree import dotted, statements

_CAUTION = "a second backward() then needs retain_graph=True, and autograd objects to changes in place"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Tensors on the context of a `torch.autograd.Function` that its backward does not take away again."""
    for owner in autograd_functions(model):
        left = (k for k in kept_on_context(model, owner) if not is_freed(model, owner, k))
        kept = [k for k in left if not (is_guarded(model, k.statement) or is_small(model, k.value))]
        if not kept or stands_in_unit_test(model, owner):
            continue
        plan = _plan(model, owner, kept)
        # One finding for `ctx.x, ctx.w = x, w`, and for all that one forward pass leaves there.
        single = list(reversed({k.statement: k for k in reversed(kept)}.values()))
        for each in single:
            alike = (k for k in single if k.function is each.function and k.output == each.output)
            beside = tuple((k.statement,) for k in alike)
            values = {
                "place": model.code(each.target),
                "value": model.short(each.value),
                "function": owner.name.value,
                "context": dotted(each.target.value),
            }
            label = Label(f"a forward pass of `{owner.name.value}`", each.function.name)
            variant = "output" if each.output else "default"
            plans = (plan,) if plan is not None else ()
            yield Match(each.statement, values, variant, (label,), plans=plans, causes=beside)


# --- the fix ------------------------------------------------------------------------------------------


def _plan(model: ScriptModel, owner: cst.ClassDef, kept: list[OnContext]) -> Plan | None:
    """`ctx.save_for_backward(...)` for all of them; None where not all uses can be followed."""
    own = methods(model, owner)
    backward, functions = own.get("backward"), {k.function for k in kept}
    known = mentions(owner, "save_for_backward", "saved_tensors", "setup_context", "jvp", "vmap")
    if backward is None or known or "grad_fn" in model.identifiers or len(functions) != 1:
        return None
    if not all(is_private_to(model, owner, f) for f in (backward, *functions)) or is_shared(model, owner):
        return None
    names = [k.target.attr.value for k in kept]
    if len(set(names)) != len(names) or not all(_is_plain(model, k) for k in kept):
        return None
    reads = [n for n in model.names.every(cst.Attribute, owner) if n.attr.value in names]
    context = parameters(backward)[0] if parameters(backward) else ""
    uses = [n for n in reads if n not in [k.target for k in kept]]
    if any(dotted(n.value) != context or model.function_of(n) is not backward for n in uses):
        return None
    if input_is_written(model, owner):
        return None
    bound = {n.value for n in model.walk(backward) if type(n) is cst.Name and not _is_member(model, n)}
    body = [s for s in statements(backward.body) if not _is_text(s)]
    if not body or not isinstance(body[0], cst.BaseStatement) or bound & set(names):
        return None
    *first, last = kept
    listed = ", ".join(names) if len(names) > 1 else f"({names[0]},)"
    values = ", ".join(place(k.value) for k in kept)
    changes: list[Change] = [Remove(k.statement) for k in first]
    changes += [
        Replace(last.statement, f"{dotted(last.target.value)}.save_for_backward({values})"),
        InsertBefore(body[0], f"{listed} = {context}.saved_tensors"),
        *(Replace(use, use.attr.value) for use in uses),
    ]
    title = "hand the tensors to `save_for_backward`" if first else "hand the tensor to `save_for_backward`"
    return Plan(Applicability.UNSAFE, title, tuple(changes), _CAUTION)


def _is_plain(model: ScriptModel, kept: OnContext) -> bool:
    """Whether an input or output, by a name that is bound once, is assigned in the body of the function."""
    value = kept.value
    line = model.parent(kept.statement)
    targets = [t.target for t in kept.statement.targets]
    alone = targets == [kept.target] and line in statements(kept.function.body)
    once = isinstance(value, cst.Name) and len(definitions_of(model, value)) == 1
    return alone and once and (kept.output or kept.given)


def _is_member(model: ScriptModel, name: cst.Name) -> bool:
    above = model.parent(name)
    return isinstance(above, cst.Attribute) and above.attr is name


def _is_text(statement: cst.CSTNode) -> bool:
    line = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(line, cst.Expr) and isinstance(line.value, (cst.SimpleString, cst.ConcatenatedString))
