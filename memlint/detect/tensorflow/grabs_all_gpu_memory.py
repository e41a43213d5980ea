"""MTF104: a TensorFlow script takes nearly all memory of every GPU that it can see."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.import_statements import imports
from memlint.analysis.match import InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.call_order import calls_in_order
from memlint.analysis.tensorflow.flow import concerns, flow_of
from memlint.analysis.tensorflow.keras import trained
from memlint.catalogue import Rule
from memlint.detect.tensorflow.devices import SETTINGS
from memlint.finding import Applicability

_SETTLED = re.compile(
    r"TF_FORCE_GPU_ALLOW_GROWTH|CUDA_VISIBLE_DEVICES|allow_growth|per_process_gpu_memory_fraction|memory_limit"
    r"|set_visible_devices|set_memory_growth|TPUStrategy|TPUClusterResolver|google\.colab|get_ipython"
    r"|KERAS_BACKEND|[\"'/](device:)?(cpu|CPU)(:\d)?[\"']"
)
_WORDS = frozenset({"set_memory_growth", "set_visible_devices", "memory_limit", "allow_growth"})
_VARIABLES = ("gpu", "physical_gpu", "growing_gpu")
_ON_GPU = re.compile(r"GPU|gpu|\bcuda|MirroredStrategy|mixed_float16")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Scripts that train on a GPU and never say how much of its memory they may take.

    Not notebooks: those mostly run on hosted machines, with a GPU of their own.
    """
    if model.notebook or not model.imports("tensorflow") or not concerns(model):
        return
    if _SETTLED.search(model.text) or not _ON_GPU.search(model.text):
        return
    if _WORDS & model.words_around or model.imports_word(_WORDS):
        return
    flow = flow_of(model)
    if any(flow.api(call.func) in SETTINGS for call in model.names.calls):
        return
    work = set(trained(flow)) | set(flow.calls_of("tf.GradientTape"))
    script = calls_in_order(flow, lambda call: call in work)[0]
    top = [e for e in script if _from_top(model, e.node) or model.has_main_guard]
    first = next((i for i in imports(model) if i.path.partition(".")[0] == "tensorflow"), None)
    if not top or first is None or model.function_of(first.node) is not None:
        return
    plan = _plan(model, first.name if first.path == "tensorflow" else "", first.node)
    label = Label("trains here", top[0].node)
    yield Match(first.node, labels=(label,), plans=(plan,) if plan else ())


def _from_top(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the file itself runs: it calls something at module level, not just defines."""
    if model.function_of(node) is None:
        return True
    top = (s for s in model.module.body if isinstance(s, cst.SimpleStatementLine))
    return any(isinstance(x, cst.Expr) and isinstance(x.value, cst.Call) for s in top for x in s.body)


def _plan(model: ScriptModel, name: str, node: cst.CSTNode) -> Plan | None:
    """The loop of the guide, behind the imports at the top of the file."""
    body = list(model.module.body)
    if not name or model.identifiers.issuperset(_VARIABLES):
        return None
    behind = next((s for s in body if not _opens(s)), None)
    if behind is None or model.positions[behind] < model.positions[node]:
        return None
    gpu = next(n for n in _VARIABLES if n not in model.identifiers)
    code = (
        f'for {gpu} in {name}.config.list_physical_devices("GPU"):\n'
        f"    {name}.config.experimental.set_memory_growth({gpu}, True)"
    )
    caution = "memory is then taken as it is needed, and not given back before the end"
    return Plan(Applicability.UNSAFE, "switch memory growth on", (InsertBefore(behind, code),), caution)


def _opens(statement: cst.CSTNode) -> bool:
    """Whether a statement is an import or the docstring."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.Expr):
        return isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString))
    return isinstance(first, (cst.Import, cst.ImportFrom))
