"""Values that a function gathers on the accelerator for callers that are not in view."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import data_hints
from memlint.analysis.knowledge.size_hints import MANY_NUMBERS
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lifetimes.locality import stays_local
from memlint.analysis.training.retained_values import RetainedValue, readers
from memlint.analysis.uses.host_moves import moved_to_host, reaches_host
from memlint.analysis.values import Frame
from memlint.detect.retention.container_use import (
    is_joined,
    is_length,
    is_returned_joined,
    joining,
    leaves_device,
)
from memlint.syntax.expressions import words_of
from memlint.syntax.tree import dotted


def is_for_callers(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what nothing here calls gathers values for its callers, moves none of them to the host, and no
    name says that there are many numbers: where they are read, and how large they are, the callers know."""
    store = retained.store
    if not _has_other_callers(store.frame) or store.key[0] in model.trace.generators:
        return False
    made = store.node if isinstance(store.node, cst.BaseComp) else None
    if (made and reaches_host(model, made)) or moved_to_host(model, store.target, store.node):
        return False
    if any(MANY_NUMBERS.search(word) for node in (store.node, store.value_node) for word in words_of(node)):
        return False
    if _gives_nothing_back(model, store.node) and stays_local(model, store.node, store.target):
        return False
    read = [r for r in readers(model, retained) if not is_length(model, r)]
    return not any(is_joined(model, r) and not is_returned_joined(model, r) for r in read)


def _gives_nothing_back(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the function around a node neither returns nor yields a value."""
    around = model.function_of(node)
    if not isinstance(around, cst.FunctionDef) or model.every(cst.Yield, around.body):
        return False
    return all(given.value is None for given in model.every(cst.Return, around.body))


def _has_other_callers(frame: Frame) -> bool:
    """Whether a function that nothing here calls runs, or leads here."""
    return any(f.entry for f in frame.chain() if isinstance(f.node, cst.FunctionDef))


def is_result(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a function joins what it makes of the few texts of one request: its caller uses that there."""
    read = [r for r in readers(model, retained) if not is_length(model, r)]
    asked = retained.store.frame.entry and bool(data_hints.REQUEST.search(retained.loop.source))
    return asked and bool(read) and all(is_returned_joined(model, reader) for reader in read)


def is_left_to_callers(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether those who call from out of view are to compute with what is gathered."""
    return _is_output_of_a_library(model, retained) or _is_series(model, retained)


def _is_series(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a function stacks what each step of one request gives, for its callers: the states and numbers
    of a sampling, to train by. Steps are counted, data are not, and nothing goes to the host."""
    store, steps = retained.store, retained.loop.node
    counts = steps.iter if isinstance(steps, cst.For) else None
    if not isinstance(counts, cst.Call) or dotted(counts.func) != "range":
        return False
    read = [r for r in readers(model, retained) if not is_length(model, r)]
    if not _has_other_callers(store.frame) or any(leaves_device(model, reader) for reader in read):
        return False
    joins = [joining(model, reader) for reader in read]
    return "torch.stack" in joins and not {"torch.cat", "torch.concat"} & {*joins}


def _is_output_of_a_library(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a method that nothing here calls gathers what its callers are to get, in a file that does not
    train and moves none of it to the host unless they ask: on which device they use it is up to them."""
    store, trace = retained.store, model.trace
    entry = next((f for f in store.frame.chain() if f.entry), None)
    offered = entry is not None and entry.self_value is not None and not (trace.backwards or trace.steps)
    return offered and not moved_to_host(model, store.target, store.node, unasked=True)
