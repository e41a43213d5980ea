"""Calls that make TensorFlow set up its devices, after which they cannot be configured."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import is_keras, last, model_kind

_STARTS = re.compile(
    r"^tf\.(constant|Variable|zeros|ones|fill|eye|range|convert_to_tensor|matmul|random\.(normal|uniform)|"
    r"config\.(experimental\.)?list_logical_devices|distribute\.MirroredStrategy|"
    r"config\.experimental\.(get_memory_info|reset_memory_stats)|"
    r"data\.Dataset\.(from_tensor_slices|from_tensors|range|list_files))$"
)
_RUNS = frozenset({"build", "fit", "predict", "evaluate", "train_on_batch", "load_weights"})
_SHAPED = frozenset({"input_shape", "batch_input_shape", "Input", "InputLayer"})
_BUILDS = frozenset({"load_model", "model_from_json", "clone_model"})


def starts_runtime(flow: Flow, call: cst.Call) -> bool:
    """Whether a call makes TensorFlow set up its devices, after which they cannot be configured."""
    api = flow.api(call.func)
    if _STARTS.match(api) or _runs_model(flow, call):
        return True
    if not is_keras(api):
        return False
    if api.startswith("keras.applications.") or last(api) in _BUILDS:
        return last(api)[:1].isupper() or last(api) in _BUILDS
    shaped = any(n in _SHAPED for n in flow.model.names_in(call))
    return (last(api) == "Model" and bool(call.args)) or (last(api) == "Sequential" and shaped)


def _runs_model(flow: Flow, call: cst.Call) -> bool:
    """Whether a call builds the weights of a Keras model, trains it or runs it."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in _RUNS:
        return False
    return model_kind(flow, func.value) == "yes"
