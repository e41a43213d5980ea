"""What a Lightning hook keeps of a batch: a tensor for sure, a large one, one with a graph."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.knowledge import code_words, hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import Why, why_graph
from memlint.analysis.traits import Trait
from memlint.analysis.values import Kind, Tensor, kind_of, options_of
from memlint.syntax.expressions import asks_length, speaks_of
from memlint.syntax.tree import dotted, root_name


def is_rare(model: ScriptModel, store: Store) -> bool:
    """Whether only some batches are kept: the first ones, or as many as fit."""
    tests = (a.test for a in model.ancestors(store.node) if isinstance(a, (cst.If, cst.IfExp)))
    return any(
        asks_length(test) or speaks_of(test, code_words.BATCH_COUNT) or model.every(cst.Modulo, test)
        for test in tests
    )


def is_tensor_for_sure(model: ScriptModel, store: Store, hook: cst.FunctionDef) -> bool:
    """Whether something of what is kept is a tensor: by its kind, out of a forward pass, or of the batch."""
    if kind_of(store.value) is not None or model.trace.ancestors(store.ids) & model.forward_ids:
        return True
    given = {p.name.value for p in hook.params.params} - {"self", "trainer", "pl_module"}
    for node in model.walk(hook.body):
        if isinstance(node, cst.Assign) and root_name(node.value) in given:
            given |= {name for target in node.targets for name in model.names_in(target.target)}
    return any(_is_of(part, given) for part in _parts(store.value_node))


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
