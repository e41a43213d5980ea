"""MEM123: gradients are filled with zeros instead of being freed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.knowledge import code_words
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import clears_in_place, grad_reads, is_checked_for_none
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.expressions import literal, mentions, speaks_of
from memlint.syntax.tree import root_name

# These need gradient buffers that stay where they are.
_FIXED_BUFFERS = frozenset({"CUDAGraph", "make_graphed_callables", "gradient_as_bucket_view", "cudagraphs"})
_CAUTION = "a parameter without a gradient is then skipped by the optimizer: no momentum, no weight decay"
_FRAMEWORKS = ("deepspeed", "horovod", "apex")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """`zero_grad(set_to_none=False)` and loops over parameters that call `p.grad.zero_()`."""
    if _FIXED_BUFFERS & model.identifiers or "torch.cuda.graph(" in model.text or model.imports(*_FRAMEWORKS):
        return
    reads = grad_reads(model)
    if not model.trace.steps or any(_needs_buffer(model, read) for read in reads):
        return
    for call in model.names.calls:
        if (
            isinstance(call.func, cst.Attribute)
            and call.func.attr.value == "zero_grad"
            and not _is_forwarded(model, call)
        ):
            text = model.code(call.func)
            if _keeps(model, call):
                yield _match(model, call, f"{text}()")
            elif not call.args and model.target_torch is not None and model.target_torch < (2, 0):
                yield _match(model, call, f"{text}(set_to_none=True)", holds="<2.0")
    yield from _loops(model, reads)


def _needs_buffer(model: ScriptModel, read: cst.Attribute) -> bool:
    """Whether code reads a gradient without asking whether there is one."""
    return not (clears_in_place(model, read) or is_checked_for_none(model, read))


def _is_forwarded(model: ScriptModel, call: cst.Call) -> bool:
    """Whether an own `zero_grad` only hands on to another one."""
    function = model.function_of(call)
    return function is not None and function.name.value == "zero_grad"


def _keeps(model: ScriptModel, call: cst.Call) -> bool:
    if len(call.args) != 1 or is_guarded(model, call):
        return False
    arg = call.args[0]
    named = arg.keyword is None or arg.keyword.value == "set_to_none"
    return named and not arg.star and literal(arg.value) is False


def _match(model: ScriptModel, node: cst.CSTNode, new: str, holds: str = "") -> Match:
    plan = Plan(Applicability.UNSAFE, f"write `{new}`", (Replace(node, new),), _CAUTION)
    return Match(node, {"zero": model.short(node)}, plans=(plan,), holds=holds)


def _loops(model: ScriptModel, reads: list[cst.Attribute]) -> Iterator[Match]:
    """`for p in model.parameters(): p.grad.zero_()`."""
    for read in reads:
        call = next((a for a in model.ancestors(read) if isinstance(a, cst.Call)), None)
        if call is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "zero_":
            continue
        statement = model.parent(call)
        loop = next((a for a in model.ancestors(call) if isinstance(a, (cst.For, cst.FunctionDef))), None)
        if (
            not isinstance(statement, cst.Expr)
            or not isinstance(loop, cst.For)
            or not clears_in_place(model, read)
        ):
            continue
        if speaks_of(loop.iter, code_words.PARAMETERS) and mentions(loop.target, root_name(read)):
            new = f"{model.code(read)} = None"
            plan = Plan(
                Applicability.UNSAFE,
                f"write `{new}`",
                (Replace(statement, new),),
                _CAUTION,
            )
            yield Match(call, {"zero": model.short(call)}, plans=(plan,))
