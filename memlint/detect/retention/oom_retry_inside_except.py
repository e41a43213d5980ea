"""MEM115: an out-of-memory error is answered inside its handler, while its traceback holds every tensor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.facts import Event
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Label, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, statements

_OOM = frozenset({"OutOfMemoryError", "OOMError"})
_BROAD = frozenset(
    {"RuntimeError", "Exception", "BaseException", "MemoryError", "CudaError", "AcceleratorError", ""}
)
_SPEAKS_OF_MEMORY = re.compile(
    r"out of memory|out_of_memory|\boom\b|oom_|_oom|OutOfMemory|empty_cache", re.IGNORECASE
)
_RELEASES = re.compile(r"clear_frames|__traceback__\s*=\s*None|with_traceback\(\s*None\s*\)")
_KEEPING = frozenset({"append", "add", "put", "put_nowait", "insert", "extend", "appendleft", "setdefault"})
_WORK = re.compile(
    r"(train|step|forward|fit|loss|infer|predict|process|batch|generate|encode|embed|eval)", re.IGNORECASE
)
_SETTLES = re.compile(r"batch_?size|(^|_)bs$|data_?loader", re.IGNORECASE)
_TIDIES = re.compile(r"(grad$|param|cache|log|print|save|reset|clear|clean|free|module|state)", re.IGNORECASE)
_MOVES_AWAY = re.compile(r"""\.cpu\(|["']cpu["']|cpu_offload""")
_FLAG = "oom"


@dataclass(frozen=True, slots=True, eq=False)
class _Handler:
    block: cst.Try
    node: cst.ExceptHandler
    name: str


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Handlers of tensor work that do such work again, or store the exception."""
    for handler in _handlers(model):
        retry = _retry(model, handler)
        speaks = _is_about_memory(model, handler)
        if retry is not None and speaks:
            values = {"work": model.short(retry)}
            labels = (
                Label(
                    "until this handler ends, the exception holds what the failed try had made", handler.node
                ),
            )
            plan = _plan(model, handler, retry)
            yield Match(retry, values, labels=labels, plans=(plan,) if plan is not None else ())
            continue
        kept = _kept(model, handler) if _first_work(model, handler.block.body) is not None else None
        if kept is not None:
            values = {"work": model.short(kept), "error": handler.name or "the exception"}
            yield Match(kept, values, "stored" if speaks else "stored-other")


def _handlers(model: ScriptModel) -> Iterator[_Handler]:
    """The handlers for running out of memory, or for errors in general, that do not clear the traceback."""
    for node in model.names.every(cst.ExceptHandler):
        block = model.parent(node)
        if not isinstance(block, cst.Try) or not _catches(node):
            continue
        # A retry on the CPU does not compete with what the exception holds on the device.
        if _RELEASES.search(model.code(node)) or _MOVES_AWAY.search(model.code(node)):
            continue
        alias = node.name.name if node.name is not None else None
        yield _Handler(block, node, alias.value if isinstance(alias, cst.Name) else "")


def _catches(node: cst.ExceptHandler) -> bool:
    if node.type is None:
        return True
    kinds = [e.value for e in node.type.elements] if isinstance(node.type, cst.Tuple) else [node.type]
    return any(dotted(kind).rpartition(".")[2] in _OOM | _BROAD for kind in kinds)


def _is_about_memory(model: ScriptModel, handler: _Handler) -> bool:
    """Whether a handler is there for running out of memory: its type, its words or its condition say so."""
    code = model.code(handler.node)
    return bool(_SPEAKS_OF_MEMORY.search(code))


def _events(model: ScriptModel) -> list[Event]:
    return [*model.trace.forwards.values(), *model.trace.backwards.values()]


def _first_work(model: ScriptModel, body: cst.CSTNode) -> cst.CSTNode | None:
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
        working.update(c for c in calls if not _TIDIES.search(dotted(c.func).rpartition(".")[2]))
    return working


def _retry(model: ScriptModel, handler: _Handler) -> cst.CSTNode | None:
    """What a handler does again of the work of its block."""
    found = _first_work(model, handler.node.body)
    if found is not None:
        return found
    function = model.function_of(handler.node)
    tried = {dotted(n.func) for n in model.walk(handler.block.body) if isinstance(n, cst.Call)}
    own = {function.name.value} if function is not None else set()
    for node in model.walk(handler.node.body):
        if isinstance(node, cst.Call) and dotted(node.func):
            last = dotted(node.func).rpartition(".")[2]
            works = _WORK.search(last) and not _SETTLES.search(last)
            if last in own or (dotted(node.func) in tried and node.args and works):
                return node
    return None


# --- exceptions that are kept -------------------------------------------------------------------------


def _kept(model: ScriptModel, handler: _Handler) -> cst.CSTNode | None:
    """Where a handler stores its exception, or sys.exc_info(), in something that outlives it."""
    if leaves(handler.node, Leave.RAISE):
        return None
    for node in model.walk(handler.node.body):
        if isinstance(node, cst.Name) and handler.name and node.value == handler.name:
            if _is_stored(model, node):
                return model.parent(node) if isinstance(model.parent(node), cst.Call) else node
        elif (
            isinstance(node, cst.Call)
            and model.names.one(node.func) == "sys.exc_info"
            and _is_stored(model, node)
        ):
            return node
    return None


def _is_stored(model: ScriptModel, node: cst.CSTNode) -> bool:
    below, above = node, model.parent(node)
    while isinstance(above, (cst.Tuple, cst.List, cst.Element, cst.Dict, cst.DictElement)):
        below, above = above, model.parent(above)
    if isinstance(above, cst.Assign):
        return above.value is below
    if isinstance(above, cst.Return):
        return True
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value in _KEEPING
    )


# --- retrying after the statement ---------------------------------------------------------------------


def _plan(model: ScriptModel, handler: _Handler, retry: cst.CSTNode) -> Plan | None:
    """Set a flag where the handler retries, and retry behind the whole statement."""
    body = statements(handler.node.body)
    inside = {retry, *model.ancestors(retry)}
    first = next((i for i, s in enumerate(body) if s in inside), None)
    if first is None or handler.block.orelse is not None or handler.block.finalbody is not None:
        return None
    tail = body[first:]
    if _FLAG in model.identifiers or not all(_can_move(model, handler, s) for s in tail):
        return None
    moved = [
        model.code(s.with_changes(leading_lines=())).strip()
        for s in tail
        if isinstance(s, cst.SimpleStatementLine)
    ]
    changes: tuple[Change, ...] = (
        InsertBefore(handler.block, f"{_FLAG} = False"),
        Replace(tail[0], f"{_FLAG} = True"),
        *(Remove(s) for s in tail[1:]),
        InsertAfter(handler.block, "\n".join([f"if {_FLAG}:", *(f"    {line}" for line in moved)])),
    )
    return Plan(Applicability.SAFE, "retry after the `try` statement", changes)


def _can_move(model: ScriptModel, handler: _Handler, statement: cst.CSTNode) -> bool:
    """Whether a statement does the same behind the `try`: it knows nothing of the exception."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    code = model.code(statement)
    names = {n.value for n in model.walk(statement) if isinstance(n, cst.Name)}
    raises = any(isinstance(n, cst.Raise) for n in model.walk(statement))
    return not (
        raises
        or "#" in code
        or "\n" in code.strip()
        or handler.name in names - {""}
        or names & _EXCEPTION_READERS
    )


_EXCEPTION_READERS = frozenset({"exc_info", "traceback", "format_exc", "print_exc", "exception"})
