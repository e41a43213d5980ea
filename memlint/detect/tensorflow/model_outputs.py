"""Outputs of models, and values of about their size."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import returned
from memlint.analysis.knowledge import hints
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import (
    model_kind,
)
from memlint.syntax.tree import dotted

_INPUTS = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")
_SCALARS = ("reduce_mean", "reduce_sum", "reduce_max", "reduce_min", "norm")


def output_of(flow: Flow, node: cst.CSTNode, depth: int) -> cst.CSTNode | None:
    """The call of a model whose output, or a tensor of about its size, a value is."""
    for source in flow.sources(node) if depth else ():
        if isinstance(source, cst.Subscript):
            found = output_of(flow, source.value, depth - 1)
        elif isinstance(source, cst.Call):
            api = flow.api(source.func)
            if api.startswith("tf.") and source.args and not api.endswith(_SCALARS):
                found = output_of(flow, source.args[0].value, depth - 1)
            elif not api and source.args and (dotted(source.func) or _is_signature(flow, source)):
                called = "" if flow.graph.callees(source) else model_kind(flow, source.func)
                runs = called == "yes" or (called == "maybe" and _has_training(source))
                runs = runs or _is_signature(flow, source)
                runs = runs or _is_traced_model(flow, source, depth) or _hands_on_output(flow, source, depth)
                found = source if runs else None
            else:
                found = None
        else:
            found = next(filter(None, (output_of(flow, d, depth - 1) for d in _first_of(flow, source))), None)
        if found is not None:
            return found
    return None


def _is_traced_model(flow: Flow, call: cst.Call, depth: int) -> bool:
    """Whether what is called is `tf.function(lambda x: net(x, training=False))`."""
    made = [s for s in flow.sources(call.func) if isinstance(s, cst.Call) and s.args]
    traced = (s.args[0].value for s in made if flow.api(s.func) == "tf.function")
    return any(isinstance(f, cst.Lambda) and output_of(flow, f.body, depth - 1) is not None for f in traced)


def _hands_on_output(flow: Flow, call: cst.Call, depth: int) -> bool:
    """Whether a function of the file is called that returns what a model gives, and nothing else."""
    meant = flow.graph.callees(call)
    function = meant[0] if len(meant) == 1 else None
    if not isinstance(function, cst.FunctionDef) or not flow.model.owns(function):
        return False
    given = returned(flow.model, function)
    return bool(given) and all(output_of(flow, value, depth - 1) is not None for value in given)


def _is_signature(flow: Flow, call: cst.Call) -> bool:
    """Whether what is called is a signature of a saved model: `loaded.signatures["serving_default"](x)`."""
    for made in flow.sources(call.func):
        of = made.value if isinstance(made, cst.Subscript) else None
        if isinstance(of, cst.Attribute) and of.attr.value == "signatures":
            given = (s for s in flow.sources(of.value) if isinstance(s, cst.Call))
            return any(flow.api(s.func) == "tf.saved_model.load" for s in given)
    return False


def _first_of(flow: Flow, name: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What gives its first member to a name: `logits, state = decoder(x)`, but not `loss, logits = ...`.

    The entries of a dictionary are members too: `for name, score in net(x).items()`.
    """
    for found in flow.definitions(name) if isinstance(name, cst.Name) else ():
        node, kind = found.node, found.kind
        if kind == "item" and found.index == 0 and not hints.ONE_NUMBER.search(dotted(name)):
            yield node
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            entry = (node.func.attr.value, kind, found.index)
            if entry == ("items", "each item", 1) or entry[:2] == ("values", "each"):
                yield node.func.value


def is_symbolic(flow: Flow, output: cst.CSTNode, depth: int) -> bool:
    """Whether a model or layer is called on a `keras.Input`, which is a piece of a model in the making; so is
    what a layer gives that is made where it is called, `Conv2D(256, 3)(x)`."""
    if depth == 0:
        return False
    if isinstance(output, (cst.List, cst.Tuple)):
        parts = [s for e in output.elements for s in (e.value, *flow.sources(e.value))]
        return any(is_symbolic(flow, part, depth - 1) for part in parts)
    if isinstance(output, cst.Name):
        listed = [s for d in flow.definitions(output) if d.kind == "each" for s in flow.sources(d.node)]
        return any(is_symbolic(flow, source, depth - 1) for source in listed)
    if not isinstance(output, cst.Call):
        return False
    made = output.func.func if isinstance(output.func, cst.Call) else None
    if flow.api(output.func) in _INPUTS or (made is not None and flow.api(made).startswith("keras.layers.")):
        return True
    given = [s for a in output.args[:1] for s in flow.sources(a.value)]
    return any(is_symbolic(flow, source, depth - 1) for source in given)


def _has_training(call: cst.Call) -> bool:
    return any(a.keyword is not None and a.keyword.value == "training" for a in call.args)
