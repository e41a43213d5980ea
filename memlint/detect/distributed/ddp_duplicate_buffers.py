"""MEM603: DistributedDataParallel keeps the gradients a second time, in its buckets."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.fixes.rewrites import with_last
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import cpu_only, wraps_ddp
from memlint.catalogue import Rule
from memlint.detect.distributed.trained_here import only_infers
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword, keywords
from memlint.syntax.expressions import literal, same
from memlint.syntax.tree import last_name

_KEYWORD = "gradient_as_bucket_view"
_POSITION = 10
_SHARDED = (
    "torch.distributed.optim.ZeroRedundancyOptimizer",
    "fairscale.optim.oss.OSS",
    "fairscale.optim.OSS",
)
_CAUTION = (
    "gradients become views of the buckets: `detach_()` on them, or putting others in their place, fails"
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of DistributedDataParallel without `gradient_as_bucket_view`."""
    if (
        cpu_only(model)
        or any(model.names.references(path) for path in _SHARDED)
        or _replaces_gradients(model)
    ):
        return
    wrapped = list(wraps_ddp(model))
    for call in wrapped:
        plain = [arg for arg in call.args if arg.keyword is None]
        hidden = any(arg.star for arg in call.args) or len(plain) > _POSITION
        if not call.args or hidden or _KEYWORD in keywords(call) or never_runs(model, call):
            continue
        if only_infers(model, call):
            continue
        plan = Plan(
            Applicability.UNSAFE,
            f"add `{_KEYWORD}=True`",
            (with_last(model, call, f"{_KEYWORD}=True"),),
            _CAUTION,
        )
        alike = [other for other in wrapped if _wraps_the_same(model, call, other)]
        causes = tuple((node,) for node in alike)
        yield Match(call, {"model": model.short(call.args[0].value)}, plans=(plan,), causes=causes)


def _wraps_the_same(model: ScriptModel, call: cst.Call, other: cst.Call) -> bool:
    """Whether two calls of one function wrap one network, as in both arms of an `if`."""
    if model.function_of(call) is not model.function_of(other) or not other.args:
        return call is other
    return same(call.args[0].value, other.args[0].value)


def _replaces_gradients(model: ScriptModel) -> bool:
    """Whether the file detaches gradients in place, puts others in their place, or relies on kept zeros."""
    targets = (node.target for node in model.names.every(cst.AssignTarget))
    if any(isinstance(target, cst.Attribute) and target.attr.value == "grad" for target in targets):
        return True
    for call in model.names.calls:
        owner = call.func.value if isinstance(call.func, cst.Attribute) else call.func
        if last_name(call.func) == "detach_" and last_name(owner) == "grad":
            return True
        kept = keyword(call, "set_to_none")
        if last_name(call.func) == "zero_grad" and kept is not None and literal(kept) is False:
            return True
    return False
