"""MTF102: calls that configure GPU memory in a way that raises, or that comes too late."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.catalogue import Rule
from memlint.detect.tensorflow.devices import GROWTH, LIMITS, VISIBLE, device, is_on
from memlint.detect.tensorflow.late_settings import late_settings
from memlint.detect.tensorflow.memory_infos import memory_infos
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import asks_length, literal

_CONFIGS = ("tf.config.LogicalDeviceConfiguration", "tf.config.experimental.VirtualDeviceConfiguration")
_KNOWN = frozenset({"memory_limit", "experimental_priority", "experimental_device_ordinal"})
_SPREADS = ("tf.distribute.MirroredStrategy", "tf.distribute.MultiWorkerMirroredStrategy")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Wrong arguments, wrong devices, settings after the start of the runtime, growth on some GPUs only."""
    if not concerns(model):
        return
    flow = flow_of(model)
    seen: set[cst.CSTNode] = set()
    for match in (*_arguments(flow), *memory_infos(flow), *late_settings(flow), *_uneven(flow)):
        if match.node not in seen and not never_runs(model, match.node):
            seen.add(match.node)
            yield match


# --- arguments ----------------------------------------------------------------------------------------


def _arguments(flow: Flow) -> Iterator[Match]:
    """Configurations with an unknown argument, without a limit, or with a share of memory as the limit."""
    for call in flow.calls_of(*_CONFIGS):
        name = flow.model.code(call.func).rpartition(".")[2]
        if any(arg.star for arg in call.args):
            continue
        wrong = _unknown_argument(flow, call)
        limit = argument(call, 0, "memory_limit")
        if wrong:
            yield Match(call, {"config": name, "what": wrong}, "argument")
        elif limit is None or literal(limit) is None:
            if _for_gpu(flow, call):
                yield Match(call, {"config": name}, "missing")
        elif isinstance(limit, cst.Float) and 0 < float(limit.evaluated_value) <= 1:
            yield Match(limit, {"value": flow.model.code(limit)}, "fraction")


def _unknown_argument(flow: Flow, call: cst.Call) -> str:
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value not in _KNOWN:
            return f"argument `{arg.keyword.value}`"
    first = argument(call, 0, "memory_limit")
    if isinstance(first, cst.SimpleString):
        return f"text {flow.model.short(first, 20)} as its limit"
    return ""


def _for_gpu(flow: Flow, call: cst.Call) -> bool:
    """Whether a configuration is handed to the set-up of a GPU."""
    for above in flow.model.ancestors(call):
        if isinstance(above, cst.Call) and flow.api(above.func) in LIMITS:
            found = device(flow, argument(above, 0, "device"))
            return found is not None and found.kind == "GPU"
    return False


# --- growth on some GPUs ----------------------------------------------------------------------------------


def _uneven(flow: Flow) -> Iterator[Match]:
    """Memory growth that is set on one GPU only, where several may be visible."""
    model = flow.model
    calls = [c for c in flow.calls_of(*GROWTH) if is_on(c)]
    placed = [(c, device(flow, argument(c, 0, "device"))) for c in calls]
    if not placed or "CUDA_VISIBLE_DEVICES" in model.text or flow.calls_of(*VISIBLE):
        return
    indices = {d.index for _, d in placed if d is not None}
    if any(d is None or d.how != "index" or d.kind != "GPU" for _, d in placed) or len(indices) != 1:
        return
    call, found = placed[0]
    if found is None or not found.index.lstrip("-").isdigit() or _counts(flow, call):
        return
    spread = [c for c in flow.calls_of(*_SPREADS) if not c.args]
    labels = (Label("this uses every visible GPU", spread[0]),) if spread else ()
    given = argument(call, 0, "device")
    assert given is not None
    variant = "uneven" if spread else "some"
    yield Match(call, {"device": model.short(given)}, variant, labels, causes=((call,),))


def _counts(flow: Flow, call: cst.Call) -> bool:
    """Whether a condition around a call asks for the exact number of GPUs."""
    tests = (a.test for a in flow.model.ancestors(call) if isinstance(a, cst.If))
    return any(_asks_for_one(n) for t in tests for n in flow.model.every(cst.Comparison, t))


def _asks_for_one(node: cst.Comparison) -> bool:
    (target, *more) = node.comparisons
    equals = isinstance(target.operator, cst.Equal) and literal(target.comparator) == 1
    return not more and equals and asks_length(node.left)
