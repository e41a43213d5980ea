"""MEM201: evaluation builds autograd graphs that nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.fixes.plans import ASKED, PRINTED, no_grad_header, shows_what_it_makes
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match, Plan, Wrap, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.evaluation import Recorded, explained_at, passes_of_function, recorded
from memlint.analysis.training.grad_reads import asks_for_graph
from memlint.analysis.training.graphs import is_differentiated, may_be_differentiated, trains_through
from memlint.analysis.training.rounding import keeps_what_it_makes, rounds_alike
from memlint.catalogue import Rule
from memlint.finding import Applicability


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Forward passes of evaluation loops outside no_grad."""
    weak = "beside-training" if model.trace.backwards else "inference"
    for found in recorded(model):
        name = found.frame.name
        where = "at the top level" if name == "<module>" else f"in `{name}`"
        labels = tuple(Label(text, node) for text, node in explained_at(model, found))
        plan, looped = _plan(model, found), found.loop is not None
        yield Match(
            found.site,
            {
                "forward": model.short(found.site),
                "where": where,
                "gone": "replaced in the next pass" if looped else "released",
                "part": "loop" if looped else "call",
            },
            _VARIANTS.get(found.display, "named" if found.named else "default" if found.strong else weak),
            labels,
            plans=(plan,) if plan is not None else (),
            causes=causes_of(passes_of_function(model, found)),
        )


_VARIANTS = {"batch": "display", "epoch": "sample", "target": "target"}


def _plan(model: ScriptModel, found: Recorded) -> Plan | None:
    """The loop under `no_grad`: safe where only numbers leave it and all of it rounds alike."""
    loop = found.loop
    if found.display:
        return _display_plan(model, found)
    if loop is None or not isinstance(loop.node, (cst.For, cst.While)):
        return None
    if any(isinstance(n, (cst.Yield, cst.Await)) for n in model.walk(loop.node)):
        return None
    if _differentiates(model, loop) or trains_through(model, loop.node):
        return None
    contained = _only_numbers_leave(model, found)
    asked, (header, imports) = asks_for_graph(model), no_grad_header(model)
    printed = shows_what_it_makes(model, loop, model.trace.descendants(found.forward.ids))
    safe = found.strong and contained and not (asked or printed) and _all_round_alike(model, loop)
    return Plan(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "run the loop under `torch.no_grad()`",
        (Wrap((loop.node,), header), *imports),
        "" if safe else _ESCAPES if not contained else PRINTED if printed else ASKED if asked else _ROUNDING,
    )


def _display_plan(model: ScriptModel, found: Recorded) -> Plan | None:
    """The statement under no_grad: everything that its results go to has been looked at."""
    line = model.statement_of(found.site)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if not isinstance(line.body[0], (cst.Assign, cst.AnnAssign, cst.Expr)):
        return None
    if trains_through(model, line):
        return None
    header, imports = no_grad_header(model)
    title = "run it under `torch.no_grad()`"
    return Plan(Applicability.UNSAFE, title, (Wrap((line,), header), *imports), _ROUNDING)


_ROUNDING = (
    "some layers (LSTM, attention) round differently under no_grad, and not all of the model is visible"
)
_ESCAPES = "right only if nothing back-propagates through what the loop computes"


def _all_round_alike(model: ScriptModel, loop: Loop) -> bool:
    return all(rounds_alike(model, f.module) for f in model.trace.forwards.values() if loop in f.loops)


def _differentiates(model: ScriptModel, loop: Loop) -> bool:
    """Whether code in the loop needs gradients, for whichever caller, or an attack has a telling name; so may
    what a caller gives to be computed, `plot_function`."""
    trace = model.trace
    inside = (f for f in trace.forwards.values() if _runs_in(loop, f.loops))
    backward = any(_runs_in(loop, b.loops) for b in trace.backwards.values())
    if backward or any(is_differentiated(model, forward.ids) for forward in inside):
        return True
    names = (n.value for n in model.walk(loop.node) if isinstance(n, cst.Name))
    return any(hints.ATTACK.search(name) or hints.GIVEN_FUNCTION.search(name) for name in names)


def _runs_in(loop: Loop, loops: tuple[Loop, ...]) -> bool:
    """Whether a loop, in this activation of its function or another one, is among those that are running."""
    return any(running.node is loop.node for running in loops)


def _only_numbers_leave(model: ScriptModel, found: Recorded) -> bool:
    """Whether no graph of the loop is stored where a later backward could use it."""
    trace, loop = model.trace, found.loop
    made = trace.descendants(found.forward.ids)
    if may_be_differentiated(model, made):
        return False
    if any(keeps_what_it_makes(model, f.module) for f in trace.forwards.values() if loop in f.loops):
        return False
    return not any(loop in k.loops and k.ids & made and "." in k.target for k in trace.stores.values())
