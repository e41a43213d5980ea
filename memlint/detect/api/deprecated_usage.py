"""Deprecated ways that no single name shows: launch commands in strings, a percentage read as bytes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.knowledge import code_words, hints
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import is_text, literal, speaks_of
from memlint.syntax.tree import dotted

_LAUNCH = "torch.distributed.launch"
_LAUNCHED = {"api": _LAUNCH, "replacement": "torchrun", "since": ""}
_RUNS = re.compile(r"^(os\.(system|popen|exec\w+|spawn\w+)|subprocess\.\w+|shlex\.split|asyncio\.\w+)$")
_USAGE = {"api": ["torch.cuda.memory_usage", "torch.cuda.memory.memory_usage"]}
_UNIT = re.compile(r"^\s*([KMGT]i?B|bytes|[kmg]b)\b")
_PLAIN_PERCENT = 1000


def _launch_commands(table: Table) -> Iterator[Match]:
    """Commands that start a script through `python -m torch.distributed.launch`."""
    model = table.model
    if _LAUNCH not in model.text:
        return
    for item in table.imports:
        if f"{item.path}.".startswith(f"{_LAUNCH}.") and not table.spared(item.node, item.path):
            yield Match(item.node, _LAUNCHED, "launcher")
    for node in model.names.scopes:
        if type(node) in (cst.SimpleString, cst.FormattedStringText) and _LAUNCH in node.value:  # type: ignore[attr-defined]
            string = model.parent(node) if type(node) is cst.FormattedStringText else node
            if string is not None and _is_command(model, string) and not is_guarded(model, string):
                yield Match(string, _LAUNCHED, "launcher")


def _is_command(model: ScriptModel, string: cst.CSTNode) -> bool:
    above = model.parent(string)
    if isinstance(above, (cst.Element, cst.Arg)) and is_text(string, _LAUNCH):
        return _follows_m(model, above)
    return speaks_of(string, code_words.LAUNCH_COMMAND) and _is_run(model, string)


def _follows_m(model: ScriptModel, item: cst.Element | cst.Arg) -> bool:
    """Whether the element in front of one in a list or a call is "-m"."""
    holder = model.parent(item)
    items = holder.args if isinstance(holder, cst.Call) else getattr(holder, "elements", ())
    values = [literal(one.value) for one in items]
    return any(pair == ("-m", _LAUNCH) for pair in itertools.pairwise(values))


def _is_run(model: ScriptModel, string: cst.CSTNode) -> bool:
    """Whether a string is run as a command: given to a function that does, or named as one."""
    for above in model.ancestors(string):
        if isinstance(above, cst.Call):
            return bool(_RUNS.match(model.names.one(above.func)))
        if isinstance(above, cst.Assign):
            return any(hints.COMMAND_VARIABLE.search(dotted(target.target)) for target in above.targets)
        if isinstance(above, cst.BaseStatement):
            return False
    return False


def _usage_as_bytes(table: Table) -> Iterator[Match]:
    """Calls of torch.cuda.memory_usage whose result is turned into megabytes, or printed as such."""
    model = table.model
    for use in table.uses(_USAGE):
        call = model.parent(use.node)
        if use.how == "call" and call is not None and not table.protected(use) and _in_bytes(model, call):
            values = {"api": use.api, "replacement": "torch.cuda.memory_allocated", "since": ""}
            yield Match(use.node, values, "percent")


def _in_bytes(model: ScriptModel, call: cst.CSTNode) -> bool:
    above = model.parent(call)
    if isinstance(above, cst.BinaryOperation) and above.left is call:
        divides = isinstance(above.operator, (cst.Divide, cst.FloorDivide, cst.RightShift))
        return divides and _is_large(model.code(above.right), isinstance(above.operator, cst.RightShift))
    if isinstance(above, cst.FormattedStringExpression):
        whole = model.parent(above)
        parts = list(getattr(whole, "parts", ()))
        after = parts[parts.index(above) + 1 :][:1] if above in parts else []
        return any(isinstance(p, cst.FormattedStringText) and _UNIT.match(p.value) for p in after)
    return False


def _is_large(divisor: str, shift: bool) -> bool:
    """Whether a divisor is one that turns bytes into something larger, not a percentage into a share."""
    plain = divisor.strip("()").replace("_", "").replace(" ", "")
    if shift:
        return plain in ("10", "20", "30")
    powers = ("1024", "1e6", "1e9", "1e3", "1<<", "2**", "10**", "1048576", "1000")
    return plain.startswith(powers) or (plain.isdigit() and int(plain) >= _PLAIN_PERCENT)


IDIOMS: dict[str, Callable[[Table], Iterator[Match]]] = {
    "launcher": _launch_commands,
    "percent": _usage_as_bytes,
}
"""What to look for in a rule that has texts for it, by the name of the variant."""
