"""What a Lightning hook keeps of a batch: a tensor for sure, a large one, one with a graph."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.knowledge import code_words, hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import Why, why_graph
from memlint.analysis.traits import Trait
from memlint.analysis.values import Kind, Tensor, kind_of, options_of
from memlint.syntax.expressions import asks_length, speaks_of, takes_remainder
from memlint.syntax.tree import dotted, root_name


def is_rare(model: ScriptModel, store: Store) -> bool:
    """Whether only some batches are kept: the first ones, or as many as fit."""
    tests = (a.test for a in model.ancestors(store.node) if isinstance(a, (cst.If, cst.IfExp)))
    return any(
        asks_length(test) or speaks_of(test, code_words.BATCH_COUNT) or takes_remainder(test)
        for test in tests
    )


def is_tensor_for_sure(model: ScriptModel, store: Store, hook: cst.FunctionDef) -> bool:
    """Whether something of what is kept is a tensor: by its kind, out of a forward pass, or of the batch."""
    if kind_of(store.value) is not None or model.trace.ancestors(store.ids) & model.forward_ids:
        return True
    given = {p.name.value for p in hook.params.params} - {"self", "trainer", "pl_module"}
    made: set[str] = set()
    parts = _parts(store.value_node)
    for node in model.walk(hook.body):
        if not isinstance(node, cst.Assign):
            continue
        names = {name for target in node.targets for name in model.names_in(target.target)}
        if root_name(node.value) in given:
            given |= names
        elif _makes_tensor(model, node.value, made):
            made |= names
        elif isinstance(node.value, cst.Dict) and root_name(store.value_node) in names:
            parts = _parts(node.value)
    return any(_is_of(part, given) or _makes_tensor(model, part, made) for part in parts)


def _makes_tensor(model: ScriptModel, node: cst.CSTNode, made: set[str]) -> bool:
    """Whether an expression is one of the tensors `made`, or a call that gives one for sure."""
    if not isinstance(node, cst.Call):
        return isinstance(node, cst.Name) and node.value in made
    name = dotted(node.func)
    if libraries.GIVES_NUMBERS.search(name):
        return False
    package, _, function = model.names.one(node.func).rpartition(".")
    owner, _, method = name.rpartition(".")
    creates = package == "torch" and function in libraries.FACTORIES - {"Generator"}
    return creates or (owner in made and method in libraries.LIGHT_METHODS) or _is_metric(model, node, name)


def _is_metric(model: ScriptModel, node: cst.CSTNode, name: str) -> bool:
    """Whether a call asks an object of torchmetrics that the class keeps under this name."""
    owner = model.class_of(node)
    return owner is not None and any(
        isinstance(kept.value, cst.Call)
        and model.names.one(kept.value.func).startswith("torchmetrics.")
        and any(dotted(target.target) == name for target in kept.targets)
        for kept in model.every(cst.Assign, owner)
    )


def _is_of(node: cst.CSTNode, given: set[str]) -> bool:
    """Whether an expression is a part of the batch, or what a call makes of one."""
    if isinstance(node, cst.Call) and not libraries.GIVES_NUMBERS.search(dotted(node.func)):
        return any(root_name(arg.value) in given for arg in node.args)
    return root_name(node) in given


def _parts(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The members of a tuple, list or dict that is written out; the expression itself otherwise."""
    if isinstance(node, (cst.Dict, cst.Tuple, cst.List)):
        return [element.value for element in node.elements]
    return [node]


def has_graph(model: ScriptModel, store: Store) -> bool:
    """Whether the value, or a member of the structure that is kept, holds a graph for sure."""
    kind = kind_of(store.value)
    return kind is Kind.GRAPH if kind is not None else why_graph(model, store.ids) is Why.FORWARD


def is_large(model: ScriptModel, store: Store) -> bool:
    """Whether the value is a tensor for sure, and none of one element."""
    if speaks_of(store.value_node, hints.SMALL_RESULT):
        return False
    options = options_of(store.value)
    tensors = [option for option in options if isinstance(option, Tensor)]
    if any(tensor.traits & (Trait.SCALAR | Trait.FEW) for tensor in tensors):
        return False
    return len(tensors) == len(options) or bool(store.ids & model.forward_ids)
