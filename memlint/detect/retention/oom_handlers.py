"""Handlers for running out of memory: what they do again, and where they store the exception."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.facts import Event
from memlint.analysis.knowledge import code_words, hints
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.expressions import (
    calls_in,
    calls_one,
    is_text,
    literal,
    mentions,
    speaks_of,
)
from memlint.syntax.tree import dotted, last_name, walk

_OOM = frozenset({"OutOfMemoryError", "OOMError"})
_BROAD = frozenset(
    {"RuntimeError", "Exception", "BaseException", "MemoryError", "CudaError", "AcceleratorError", ""}
)


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """A handler of a `try` block; `name` is that of its exception, "" where it has none."""

    block: cst.Try
    node: cst.ExceptHandler
    name: str


def handlers(model: ScriptModel) -> Iterator[Handler]:
    """The handlers for running out of memory, or for errors in general, that do not clear the traceback."""
    for node in model.names.every(cst.ExceptHandler):
        block = model.parent(node)
        if not isinstance(block, cst.Try) or not _catches(node):
            continue
        # A retry on the CPU does not compete with what the exception holds on the device.
        if _releases(node) or _moves_away(node):
            continue
        alias = node.name.name if node.name is not None else None
        yield Handler(block, node, alias.value if isinstance(alias, cst.Name) else "")


def _releases(handler: cst.ExceptHandler) -> bool:
    """Whether a handler lets go of the traceback: `clear_frames`, `e.__traceback__ = None`."""
    unbound = (n for n in walk(handler) if isinstance(n, cst.Assign) and literal(n.value) is None)
    if any(last_name(t.target) == "__traceback__" for n in unbound for t in n.targets):
        return True
    emptied = (c.args for c in calls_in(handler, "with_traceback"))
    values = [literal(arg.value) for args in emptied for arg in args]
    return mentions(handler, "clear_frames") or None in values


def _moves_away(handler: cst.ExceptHandler) -> bool:
    """Whether a handler goes on with the CPU."""
    named = calls_one(handler, "cpu") or speaks_of(handler, code_words.CPU_OFFLOAD)
    return named or any(is_text(node, "cpu") for node in walk(handler))


def _catches(node: cst.ExceptHandler) -> bool:
    if node.type is None:
        return True
    kinds = [e.value for e in node.type.elements] if isinstance(node.type, cst.Tuple) else [node.type]
    return any(dotted(kind).rpartition(".")[2] in _OOM | _BROAD for kind in kinds)


def _events(model: ScriptModel) -> list[Event]:
    return [*model.trace.forwards.values(), *model.trace.backwards.values()]


def first_work(model: ScriptModel, body: cst.CSTNode) -> cst.CSTNode | None:
    """The first expression of a block that runs a forward or a backward, itself or in what it calls."""
    working = _working_nodes(model)
    return next((node for node in model.walk(body) if node in working), None)


@cached
def _working_nodes(model: ScriptModel) -> set[cst.CSTNode]:
    """The forward and backward passes, and the calls that lead to them."""
    working: set[cst.CSTNode] = set()
    for event in _events(model):
        working.add(event.node)
        calls = (f.call for f in event.frame.chain() if isinstance(f.call, cst.Call))
        working.update(c for c in calls if not hints.TIDIES_UP.search(dotted(c.func).rpartition(".")[2]))
    return working


def retried_work(model: ScriptModel, handler: Handler) -> cst.CSTNode | None:
    """What a handler does again of the work of its block: not the error that it raises, or a generator."""
    found = first_work(model, handler.node.body)
    if found is not None:
        return found
    function = model.function_of(handler.node)
    tried = {dotted(n.func) for n in model.walk(handler.block.body) if isinstance(n, cst.Call)}
    own = {function.name.value} if function is not None else set()
    raised = {node for line in model.every(cst.Raise, handler.node.body) for node in model.walk(line)}
    for node in model.walk(handler.node.body):
        if isinstance(node, cst.Call) and dotted(node.func) and node not in raised:
            last = dotted(node.func).rpartition(".")[2]
            works = hints.WORK_CALL.search(last) and not hints.SETTLES_BATCH_SIZE.search(last)
            again = last in own or (dotted(node.func) in tried and node.args and works)
            if again and not _runs_nothing(model, node):
                return node
    return None


def _runs_nothing(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call runs nothing yet, as that of a function that yields, or makes an object of a class."""
    meant = definition(model, call.func)
    yields = isinstance(meant, cst.FunctionDef) and bool(model.every(cst.Yield, meant))
    return yields or isinstance(meant, cst.ClassDef)
