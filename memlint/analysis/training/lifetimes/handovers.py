"""Which call handed a value to the helper that keeps it, and by which of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from memlint.analysis.facts import Loop, Store
from memlint.analysis.interpret.contents import graph_members
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame, Kind, Ref


def handed_over(
    model: ScriptModel, store: Store, loop: Loop
) -> tuple[cst.CSTNode, tuple[cst.CSTNode, ...], Frame, Frame | None]:
    """From a helper that keeps its arguments to the call that handed them over.

    Gives the node to report, what is kept there, the frame of that node, and the frame of the helper that the
    node calls (None where the store itself is reported).
    """
    frame, node = store.frame, store.node
    kept: tuple[cst.CSTNode, ...] = (store.value_node,)
    through: Frame | None = None
    ids = store.ids
    while frame.caller is not None and loop.frame is not frame:
        if not isinstance(frame.call, (cst.Call, cst.AugAssign)) or not isinstance(frame.self_value, Ref):
            break
        origins = _origins(model, ids, frame)
        if not origins:
            break
        passed = model.trace.passed_arguments.get((id(frame.call), frame.caller.id), ())
        trace = model.trace
        handed = [row for row in passed if trace.ancestors(row[1], lightweight_only=True) & origins]
        if not handed:
            break
        through, node, kept = frame, frame.call, _with_graph(model, handed)
        frame, ids = frame.caller, origins
    return node, kept, frame, through


def _with_graph(
    model: ScriptModel, handed: Sequence[tuple[cst.CSTNode, frozenset[int]]]
) -> tuple[cst.CSTNode, ...]:
    """The arguments with a graph, those first through which no backward ran: all that surely have one, else
    the first that may have one."""
    kinds = {node: {kind for _, kind in _members(model, node)} for node, _ in handed}
    certain = [row for row in handed if Kind.GRAPH in kinds[row[0]]]
    certain.sort(key=lambda row: row[1] <= model.trace.differentiated)
    maybe = [node for node, _ in handed if kinds[node]]
    return tuple(node for node, _ in certain) or (*maybe, handed[0][0])[:1]


def _members(model: ScriptModel, node: cst.CSTNode) -> list[tuple[int, Kind | None]]:
    given = model.trace.argument_values.get(node, ())
    return [member for value in given for member in graph_members(model.machine, value)]


def _origins(model: ScriptModel, ids: frozenset[int], frame: Frame) -> frozenset[int]:
    """The values from outside a frame that these come from; empty when one was made inside it."""
    trace = model.trace
    found: set[int] = set()
    stack, seen = list(ids), set(ids)
    while stack:
        number = stack.pop()
        made = trace.made_in.get(number)
        # What is read out of a container has no frame of its own: ask where its elements were made.
        if made is not None and frame not in made.chain():
            found.add(number)
            continue
        if made is not None and number not in trace.lightweight:
            return frozenset()
        for parent in trace.parents.get(number, ()):
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    return frozenset(found)
