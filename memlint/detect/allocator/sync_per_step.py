"""MEM505: the host waits for the GPU in every training step, to read a number or for nothing."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_frequency import frequency_of, interval_of
from memlint.analysis.facts import Called, Loop
from memlint.analysis.knowledge import device_hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import uses_cuda
from memlint.analysis.training.loops import batch_loops
from memlint.analysis.traits import Trait
from memlint.analysis.values import Const, Tensor, Value, options_of
from memlint.catalogue import Rule

# Methods that copy to the host what a tensor of the device holds, or need to know its values.
_READING_METHODS = frozenset({".item", ".tolist", ".cpu", ".numpy", ".nonzero", ".equal", ".allclose"})
_READING_FUNCTIONS = frozenset(
    "builtins.float builtins.int builtins.bool builtins.print torch.nonzero torch.equal torch.allclose "
    "torch.argwhere".split()
)
_WAITING = frozenset(
    "torch.cuda.synchronize torch.accelerator.synchronize torch.cuda.utilization torch.cuda.temperature "
    "torch.cuda.power_draw torch.cuda.memory_usage".split()
)
_VALUES = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual)
_VERDICTS = frozenset("any all isnan isinf isfinite max min sum mean".split())
_COMMANDS = ("subprocess.", "os.system", "os.popen")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """For each training loop of a CUDA script the first place at which every step waits, with the others."""
    if not uses_cuda(model):
        return
    loops = {loop: kind for loop, kind in batch_loops(model).items() if kind == "training"}
    found: dict[cst.CSTNode, set[cst.CSTNode]] = {}
    for event in model.trace.calls.values():
        measured = any(device_hints.STUDIES_MEMORY.search(frame.name) for frame in event.frame.chain())
        if measured or not model.owns(event.node) or not _waits(model, event):
            continue
        often = frequency_of(model, event, loops)
        if often is not None and often.step == 1:
            found.setdefault(often.loop.node, set()).add(event.node)
    for loop in loops:
        if model.owns(loop.node):
            found.setdefault(loop.node, set()).update(_decided(model, loop))
    for sites in found.values():
        if sites:
            yield _match(model, sorted(sites, key=lambda node: model.positions[node]))


def _match(model: ScriptModel, sites: list[cst.CSTNode]) -> Match:
    first, *others = [s for s in sites if not any(o in model.ancestors(s) for o in sites)]
    more = f", and so {'does' if len(others) == 1 else 'do'} {len(others)} more" if others else ""
    labels = tuple(Label("waits as well", other) for other in others[:3])
    return Match(first, {"call": model.short(first), "more": more}, labels=labels)


def _waits(model: ScriptModel, event: Called) -> bool:
    """Whether the host has to wait for the device before a call can return."""
    if event.path in _WAITING:
        return True
    if event.path.startswith(_COMMANDS):
        return any("nvidia-smi" in text.value for text in model.every(cst.SimpleString, event.node))
    if event.path == ".to":
        to_host = any(isinstance(v, Const) and v.value == "cpu" for v in event.args)
        return to_host and _is_on_gpu(event.owner)
    if event.path in _READING_METHODS:
        return _is_on_gpu(event.owner)
    return event.path in _READING_FUNCTIONS and any(_is_on_gpu(value) for value in event.args)


def _is_on_gpu(value: Value | None) -> bool:
    """Whether a value is a tensor that the run saw go to a GPU, whatever else it may be."""
    options = options_of(value) if value is not None else ()
    return any(isinstance(o, Tensor) and o.traits & Trait.GPU and not o.traits & Trait.CPU for o in options)


def _decided(model: ScriptModel, loop: Loop) -> Iterator[cst.CSTNode]:
    """The conditions of `if`, `while` and `assert` in a loop that a tensor of the device decides."""
    held = [b.held for b in model.trace.backwards.values() if loop in b.loops and loop.frame is b.frame]
    for node in model.walk(loop.node):
        if not isinstance(node, (cst.If, cst.Assert, cst.While)) or node is loop.node:
            continue
        if interval_of(model, node, loop.node) != 1:
            continue
        name = _decisive(model, node.test)
        values = (table[(loop.frame.id, name)].value for table in held if (loop.frame.id, name) in table)
        if name and any(_is_on_gpu(value) for value in values):
            yield node.test


def _decisive(model: ScriptModel, test: cst.BaseExpression) -> str:
    """The variable whose value makes a condition true: `loss` of `not loss > 10`, `torch.isnan(loss)`."""
    while not isinstance(test, cst.Name):
        match test:
            case cst.UnaryOperation():
                test = test.expression
            case cst.BooleanOperation():
                test = test.left
            case cst.Comparison() if isinstance(test.comparisons[0].operator, _VALUES):
                test = test.left
            case cst.Call() if test.args and model.path_of(test.func).startswith(("torch.is", "math.is")):
                test = test.args[0].value
            case cst.Call(func=cst.Attribute(value=owner, attr=name)) if name.value in _VERDICTS:
                test = owner
            case _:
                return ""
    return test.value
