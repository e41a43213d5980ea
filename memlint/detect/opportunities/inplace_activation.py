"""MEM807: activations that keep their input for backward, and would keep their result alone if in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.detect.opportunities.layer_chains import chains
from memlint.detect.opportunities.trained_networks import may_train
from memlint.finding import Applicability
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import literal

_SEQUENTIAL = "torch.nn.Sequential"
_LAYERS = {"LeakyReLU": 1, "ELU": 1, "CELU": 1, "SELU": 0}
"""Modules whose backward needs their result or their input, by the number of their `inplace`.

Of the others of torch, ReLU and ReLU6 keep their result in any case, SiLU, Mish and Hardswish their input.
"""

_FUNCTIONS = {f"torch.nn.functional.{name}": 2 for name in ("leaky_relu", "elu", "celu")}
_FUNCTIONS["torch.nn.functional.selu"] = 1
_PRODUCE = ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm", "LazyConv", "LazyBatchNorm")
_ALSO = frozenset({"Linear", "LazyLinear", "Bilinear", "GroupNorm", "LayerNorm", "RMSNorm", "SyncBatchNorm"})
"""Layers of torch.nn that keep their input or their weights for backward, never their result."""

_WRAPPED = frozenset({"spectral_norm", "weight_norm"})
_LOOKED_AT = frozenset({
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook", "jit",
    "create_feature_extractor", "IntermediateLayerGetter", "create_graph",
})  # fmt: skip
"""Names of what reads the results of single layers, or differentiates twice."""

_CAUTION = "the result is written over the input: nothing else may read what the layer before gives"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Activations right behind a layer whose result nobody else can have."""
    if model.identifiers & _LOOKED_AT or not may_train(model):
        return
    for call in model.names.calls:
        path = model.path_of(call.func)
        if path == _SEQUENTIAL:
            found = [node for chain in chains(model, call) for node in _behind_layers(model, chain)]
        else:
            found = [call] if _takes_fresh_result(model, call, path) else []
        if not found or stands_in_unit_test(model, call):
            continue
        changes = tuple(with_keyword(model, node, "inplace", "True") for node in found)
        others = len(found) - 1
        yield Match(
            found[0],
            {
                "activation": model.short(found[0].func),
                "number": f", and so {'does' if others == 1 else 'do'} {others} more here" if others else "",
            },
            plans=(Plan(Applicability.UNSAFE, "let it write over its input", changes, _CAUTION),),
        )


def _behind_layers(model: ScriptModel, chain: Sequence[cst.BaseExpression]) -> Iterator[cst.Call]:
    for before, node in pairwise(chain):
        if isinstance(node, cst.Call) and isinstance(before, cst.Call) and _is_layer(model, before):
            name = _in_torch_nn(model, node)
            if name in _LAYERS and _may_be_in_place(node, _LAYERS[name]):
                yield node


def _takes_fresh_result(model: ScriptModel, call: cst.Call, path: str) -> bool:
    """Whether a call is `F.leaky_relu(self.conv(x))`."""
    if path not in _FUNCTIONS or not call.args or not _may_be_in_place(call, _FUNCTIONS[path]):
        return False
    inner = call.args[0].value
    if not isinstance(inner, cst.Call) or not isinstance(inner.func, cst.Attribute):
        return False
    made = [source.node for source in value_sources(model, inner.func)]
    return bool(made) and all(isinstance(node, cst.Call) and _is_layer(model, node) for node in made)


def _is_layer(model: ScriptModel, call: cst.Call) -> bool:
    name = _in_torch_nn(model, call)
    if name in _WRAPPED and call.args:
        inner = call.args[0].value
        return isinstance(inner, cst.Call) and _is_layer(model, inner)
    return name in _ALSO or (name[-2:] in ("1d", "2d", "3d") and name[:-2] in _PRODUCE)


def _in_torch_nn(model: ScriptModel, call: cst.Call) -> str:
    """The name of a class or function of torch.nn, "" for anything else."""
    path = model.path_of(call.func)
    return path.rpartition(".")[2] if path.startswith("torch.nn.") else ""


def _may_be_in_place(call: cst.Call, number: int) -> bool:
    """Whether an activation is not in place, and its slope not negative: torch refuses that in place."""
    if any(arg.star for arg in call.args):
        return False
    given = argument(call, number, "inplace")
    if given is not None and not (keyword(call, "inplace") is not None and literal(given) is False):
        return False
    slopes = [arg.value for arg in call.args if arg.keyword is None or arg.keyword.value != "inplace"]
    return not any(isinstance(value, cst.UnaryOperation) for value in slopes)
