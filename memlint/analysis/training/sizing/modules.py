"""How large a module is, as far as its constructors or its name tell."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.interpret.weights import is_weightless
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, Obj, Ref, options_of

_LANGUAGE_MODELS = pattern(r"^transformers\.(\w+\.)*\w*(ForCausalLM|LMHeadModel|ForMaskedLM|ForSeq2SeqLM)\b")


def language_model(obj: Obj) -> str:
    """The class of a language model of the transformers library; "" for any other module."""
    match = _LANGUAGE_MODELS.match(obj.path)
    return match[0].rpartition(".")[2] if match is not None else ""


def widest_linear(model: ScriptModel, whole: Obj) -> int:
    """The largest literal number of outputs among the linear layers of a module, 0 where none is known."""
    return max((_argument(o, 1, "out_features") for o in layers(model, whole) if _is(o, "Linear")), default=0)


def parameter_count(model: ScriptModel, whole: Obj) -> int:
    """How many parameters the layers with literal sizes have: at least as many as the module has."""
    return sum(_count(layer) for layer in layers(model, whole))


def is_probe(model: ScriptModel, whole: Obj) -> bool:
    """Whether one linear layer has all weights of a module in view: a probe, a classifier of features. One
    that is told to be large, such as a head over a vocabulary, is none."""
    if whole.by_name or not (whole.cls is not None or _is(whole, "Linear")):
        return False
    parts = [
        o for o in layers(model, whole) if o.kind == "module" and o.cls is None and o.path not in _HOLDERS
    ]
    # The run makes a layer again for each object of the class.
    trained = {o.node: o for o in parts if not is_weightless(model.machine, o)}
    return len(trained) == 1 and all(_is(o, "Linear") and _count(o) < _LARGE for o in trained.values())


_LARGE = 10_000_000
"""Weights, 40 MB in float32."""

_HOLDERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")


def layers(model: ScriptModel, whole: Obj) -> set[Obj]:
    """A module, everything that it was given or keeps, and what is made in its class."""
    found: set[Obj] = set()
    pending = [whole]
    while pending:
        obj = pending.pop()
        if obj not in found:
            found.add(obj)
            kept = [value for _, value in model.machine.entries(obj)] if model.machine.state else []
            pending += [
                o.obj for v in (*obj.args.values(), *kept) for o in options_of(v) if isinstance(o, Ref)
            ]
    return found.union(_made_inside(model).get(whole.cls.node, ()) if whole.cls is not None else ())


@cached
def _made_inside(model: ScriptModel) -> dict[cst.CSTNode, list[Obj]]:
    """The objects that are made in each class, whose constructor may not have been run."""
    found: dict[cst.CSTNode, list[Obj]] = {}
    for obj in model.trace.objects.values():
        for above in model.ancestors(obj.node) if obj.node is not None else ():
            if isinstance(above, cst.ClassDef):
                found.setdefault(above, []).append(obj)
    return found


def _count(layer: Obj) -> int:
    if _is(layer, "Linear"):
        return _argument(layer, 0, "in_features") * _argument(layer, 1, "out_features")
    if _is(layer, "Embedding"):
        return _argument(layer, 0, "num_embeddings") * _argument(layer, 1, "embedding_dim")
    if _is(layer, "Conv2d"):
        size = _argument(layer, 2, "kernel_size")
        return _argument(layer, 0, "in_channels") * _argument(layer, 1, "out_channels") * size * size
    return 0


def _is(layer: Obj, name: str) -> bool:
    return layer.path in (f"torch.nn.{name}", f"torch.nn.modules.{name}")


def _argument(layer: Obj, position: int, name: str) -> int:
    value = layer.args.get(str(position), layer.args.get(name))
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else 0
