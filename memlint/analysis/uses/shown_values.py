"""Is a value only looked at: printed, plotted, written to a file, turned into numbers?

A forward pass whose results end there builds an autograd graph that nothing uses. Followed are the value
itself and what is computed from it, into functions of the file and back to visible callers. Detached copies
are followed as well: one that feeds a loss or another network is training, not display.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.constants import values_of
from memlint.analysis.dataflow.functions import definition, parameters
from memlint.analysis.facts import Criterion, Forward
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.uses.value_uses import Use, uses_of, uses_of_parameter
from memlint.analysis.values import Frame
from memlint.records import dataclass
from memlint.syntax.arguments import parameter_for
from memlint.syntax.tree import dotted, last_name

_LIMIT = 300
_SAVES = frozenset({"torch.save", "torchaudio.save"})
_LIST_METHODS = frozenset({"append", "extend", "insert"})
_PICTURES = "torchvision.utils.make_grid"
_NUMBERS = frozenset("float int str round repr format bool id hash print".split())
_MEASURES = frozenset({"len", "type", "isinstance"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a function was entered: by a frame of the run, or by a call that the search followed."""

    frame: Frame | None
    call: cst.CSTNode | None = None
    outer: _Place | None = None


@dataclass(frozen=True, slots=True)
class _Value:
    """An expression that holds the value, or what was computed from it; `graph` until it is detached."""

    node: cst.CSTNode
    place: _Place
    graph: bool


@dataclass(slots=True)
class Ends:
    """Where a value ends. `looked_at`: as a number, a text, a picture, a file; `measured`: its shape or type
    is read; `demanded`: an assertion speaks of it; `detached`: the code at hand cuts its graph itself, with
    `.detach()` or `.data`; `cut`: its graph ends there, where no more is asked;
    `elsewhere`: kept, returned to callers out of view, given to code that may do anything with it, or to a
    training step."""

    looked_at: bool = False
    measured: bool = False
    demanded: bool = False
    detached: bool = False
    cut: bool = False
    elsewhere: bool = False

    def add(self, other: Ends) -> None:
        """Take in where another part of the value ends."""
        self.looked_at = self.looked_at or other.looked_at
        self.measured = self.measured or other.measured
        self.demanded = self.demanded or other.demanded
        self.detached = self.detached or other.detached
        self.cut = self.cut or other.cut
        self.elsewhere = self.elsewhere or other.elsewhere


def only_looked_at(model: ScriptModel, forward: Forward) -> bool:
    """Whether everything that a forward pass gives ends as numbers, texts, pictures or files."""
    ends = ends_of(model, forward)
    return ends.looked_at and not ends.elsewhere


def only_measured(model: ScriptModel, forward: Forward) -> bool:
    """Whether nothing but the shape or type of what a forward pass gives is read."""
    ends = ends_of(model, forward)
    return ends.measured and not ends.looked_at and not ends.elsewhere


def is_detached_and_looked_at(model: ScriptModel, forward: Forward) -> bool:
    """Whether all that a forward pass gives is only looked at, and some of it detached first: the code counts
    on a graph."""
    ends = ends_of(model, forward)
    return ends.detached and ends.looked_at and not ends.elsewhere


def only_demanded(model: ScriptModel, forward: Forward) -> bool:
    """Whether what a forward pass gives is there for assertions only."""
    ends = ends_of(model, forward)
    return ends.demanded and not (ends.looked_at or ends.measured or ends.elsewhere)


def graph_is_cut(model: ScriptModel, forward: Forward) -> bool:
    """Whether the code at hand detaches everything that a forward pass gives, whatever becomes of it then."""
    ends = ends_of(model, forward, True)
    return (ends.cut or ends.looked_at) and not ends.elsewhere


@cached
def ends_of(model: ScriptModel, forward: Forward, graphs_only: bool = False) -> Ends:
    """Where the results of a forward pass end; with `graphs_only` what is detached is followed no further."""
    ends, seen = Ends(), set[tuple[cst.CSTNode, bool]]()
    pending = [_Value(forward.node, _Place(forward.frame), graph=True)]
    while pending and not ends.elsewhere:
        value = pending.pop()
        if (value.node, value.graph) in seen:
            continue
        seen.add((value.node, value.graph))
        if graphs_only and not value.graph:
            ends.cut = True
            continue
        if len(seen) > _LIMIT or not model.owns(value.node):
            ends.elsewhere = True
            break
        further, here = _step(model, value) if value.place.outer is None else _step_from(model, value)
        pending += further
        ends.add(here)
    return ends


@cached
def _step(model: ScriptModel, value: _Value) -> tuple[list[_Value], Ends]:
    """What a value goes on as, and where it ends: many forward passes of a chain come by the same values."""
    return _step_from(model, value)


def _step_from(model: ScriptModel, value: _Value) -> tuple[list[_Value], Ends]:
    ends, further = Ends(), list[_Value]()
    parameter = isinstance(value.node, cst.Param)
    uses = uses_of_parameter(model, value.node) if parameter else uses_of(model, value.node)  # type: ignore[arg-type]
    for use in uses:
        further += _follow(model, value, use, ends)
    return further, ends


def _follow(model: ScriptModel, value: _Value, use: Use, ends: Ends) -> Iterator[_Value]:
    """What of a use goes on; where it ends is written into `ends`."""
    if any(isinstance(above, cst.Assert) for above in model.ancestors(use.node)):
        ends.demanded = True
        return
    match use.how:
        case "method":
            yield from _method(model, value, use, ends)
        case "argument":
            yield from _argument(model, value, use, ends)
        case "attribute":
            if use.name in lib.SCALAR_ATTRIBUTES:
                ends.measured = True
            else:
                ends.detached = ends.detached or (value.graph and use.name == "data")
                yield _Value(use.node, value.place, value.graph and use.name != "data")
        case "part" | "computed" | "member":
            yield _Value(use.node, value.place, value.graph)
        case "compared":
            yield _Value(use.node, value.place, graph=False)
        case "returned":
            yield from _returned(value, ends)
        case "tested":
            ends.looked_at = True
        case "added" | "dropped":
            pass
        case _:
            ends.elsewhere = True


def _method(model: ScriptModel, value: _Value, use: Use, ends: Ends) -> Iterator[_Value]:
    name = use.name
    if name in lib.SCALAR_METHODS:
        looked_at = name in ("item", "tolist", "numpy")
        ends.looked_at, ends.measured = ends.looked_at or looked_at, ends.measured or not looked_at
    elif name in ("backward", "requires_grad_", "retain_grad", "register_hook") or _trains(model, use.node):
        ends.elsewhere = True
    elif _shows(name):
        ends.looked_at = True
    else:
        ends.detached = ends.detached or (value.graph and name in ("detach", "detach_"))
        plain = name in lib.DETACH_METHODS or name in lib.INDEX_METHODS
        yield _Value(use.node, value.place, value.graph and not plain)


def _argument(model: ScriptModel, value: _Value, use: Use, ends: Ends) -> Iterator[_Value]:
    call = use.node
    assert isinstance(call, cst.Call)
    path = model.path_of(call.func)
    name = path.rpartition(".")[2] or last_name(call.func)
    if _trains(model, call):
        ends.elsewhere = True
    elif _is_builtin(model, call, _NUMBERS) or _shows(name) or _gathers_pictures(model, value, name):
        ends.looked_at = True
    elif _is_builtin(model, call, _MEASURES):
        # The length of a list in which values are kept is none of a value's.
        kept = _is_kept_in(model, value.node)
        ends.looked_at, ends.measured = ends.looked_at or kept, ends.measured or not kept
    elif path == _PICTURES or name in lib.INDEX_FUNCTIONS:
        yield _Value(call, value.place, graph=False)
    elif path in _SAVES or (lib.PLAIN_PACKAGES.match(path) and not _is_vision(path)):
        ends.looked_at = True
    elif path.startswith(("torch.", "torchvision.")) or _is_builtin(model, call, lib.BUILTINS):
        yield _Value(call, value.place, value.graph)
    elif (found := _function_of(model, call)) is not None and model.owns(found):
        yield from _into(model, value, call, found, use)
    elif _runs_module(model, call) or naming.loss_call(name):
        yield _Value(call, value.place, value.graph)
    elif naming.gives_numbers(name) or _is_decoded(call) or (_schedules(call) and _is_dropped(model, call)):
        ends.looked_at = True
    elif _schedules(call):
        yield _Value(call, value.place, value.graph)
    elif (reads := _reads_of_list(model, call)) is not None:
        yield from (_Value(read, value.place, value.graph) for read in reads)
    elif _may_keep(model, call, name) or _is_dropped(model, call):
        ends.elsewhere = True
    else:
        yield _Value(call, value.place, value.graph and not naming.detaching_call(name))


def _is_kept_in(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a value is a list that the code makes, as `_reads_of_list` follows them."""
    return isinstance(node, cst.Name) and any(isinstance(v, cst.List) for v in values_of(model, node))


def _gathers_pictures(model: ScriptModel, value: _Value, name: str) -> bool:
    """Whether a list takes in what was made to be looked at: `grids.append(make_grid(fake))`."""
    made = value.node
    if name not in _LIST_METHODS or not isinstance(made, cst.Call):
        return False
    return model.path_of(made.func) == _PICTURES


def _reads_of_list(model: ScriptModel, call: cst.Call) -> list[cst.Name] | None:
    """Where a list that this function makes is read, other than to append: `rows.append(net(x))`. None for a
    list from elsewhere."""
    func = call.func
    box = func.value if isinstance(func, cst.Attribute) and func.attr.value in _LIST_METHODS else None
    if not isinstance(box, cst.Name) or model.exports(box.value):
        return None
    made = values_of(model, box)
    if not all(isinstance(v, cst.List) for v in made):
        return None
    return _reads_other_than_appends(model, model.function_of(call), box.value)


@cached
def _reads_other_than_appends(
    model: ScriptModel, owner: cst.FunctionDef | None, name: str
) -> list[cst.Name] | None:
    """Where a list is read, other than to append; None in a function that binds no such name."""
    scope = owner.body if owner is not None else model.module
    same = [n for n in model.walk(scope) if isinstance(n, cst.Name) and n.value == name]
    if owner is not None and not any(map(model.is_target, same)):
        return None
    return [n for n in same if not model.is_target(n) and not _appends(model.parent(n))]


def _appends(node: cst.CSTNode | None) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value in _LIST_METHODS


def _function_of(model: ScriptModel, call: cst.Call) -> cst.FunctionDef | None:
    """The function in view that a call runs: by the name that it is called by, else as the run has shown."""
    found = definition(model, call.func)
    if found is not None:
        return found if isinstance(found, cst.FunctionDef) else None
    return model.machine.entered_by(call)


def _is_decoded(call: cst.Call) -> bool:
    """Whether a tokenizer makes text of token ids: `tokenizer.batch_decode(ids)`."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in ("decode", "batch_decode"):
        return False
    return bool(hints.TEXT_CODER.search(last_name(func.value)))


def _schedules(call: cst.Call) -> bool:
    """Whether a schedule takes a step: `plateau_scheduler.step(loss)` reads a number, and that of a diffusion
    makes the next sample, `noise_scheduler.step(noise, t, x).prev_sample`."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != "step":
        return False
    return naming.schedule(dotted(func.value))


def _is_vision(path: str) -> bool:
    return path.startswith("torchvision.")


def _is_builtin(model: ScriptModel, call: cst.Call, names: frozenset[str]) -> bool:
    func = call.func
    if type(func) is not cst.Name or func.value not in names:
        return False
    return model.names_of(func).scope_of(func).owner(func.value) is None


def _shows(name: str) -> bool:
    return bool(hints.SHOWS.match(name))


def _may_keep(model: ScriptModel, call: cst.Call, name: str) -> bool:
    """Whether code out of view may keep what it is given, or train with it."""
    if hints.ADDS_TO_BUFFER.match(name) or naming.differentiating_call(name) or naming.may_zero(name):
        return True
    return any(kind_of(model, a.value) in ("optimizer", "scaler") for a in call.args)


def _is_dropped(model: ScriptModel, call: cst.Call) -> bool:
    return isinstance(model.parent(call), cst.Expr)


def _into(
    model: ScriptModel, value: _Value, call: cst.Call, function: cst.FunctionDef, use: Use
) -> Iterator[_Value]:
    """The parameter of a function of the file that a call gives the value to."""
    assert use.arg is not None
    name = parameter_for(call, function, use.arg)
    for param in parameters(function):
        if param.name.value == name:
            yield _Value(param, _Place(None, call, value.place), value.graph)
            return
    yield _Value(call, value.place, value.graph)


def _returned(value: _Value, ends: Ends) -> Iterator[_Value]:
    place = value.place
    if place.outer is not None and place.call is not None:
        yield _Value(place.call, place.outer, value.graph)
    elif place.frame is not None and place.frame.caller is not None and not place.frame.entry:
        assert place.frame.call is not None
        yield _Value(place.frame.call, _Place(place.frame.caller), value.graph)
    else:
        ends.elsewhere = True


def _runs_module(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call was a forward pass or a loss function in the run."""
    return call in _results(model)


def _trains(model: ScriptModel, call: cst.CSTNode) -> bool:
    """Whether a backward of the run goes through what a call gives: a loss or a forward pass of training."""
    made = _results(model).get(call, ())
    return any(is_differentiated(model, ids) for ids in made) or call in _backward_calls(model)


@cached
def _results(model: ScriptModel) -> dict[cst.CSTNode, list[frozenset[int]]]:
    """What each call of a network or loss function gave, one entry for each time."""
    found: dict[cst.CSTNode, list[frozenset[int]]] = {}
    events: list[Forward | Criterion] = [*model.trace.forwards.values(), *model.trace.criteria.values()]
    for event in events:
        found.setdefault(event.node, []).append(event.ids)
    return found


@cached
def _backward_calls(model: ScriptModel) -> set[cst.CSTNode]:
    return {b.node for b in model.trace.backwards.values()}
