"""What the first screen of a replay says, as sentences for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlint.report.fit import words
from memlint.report.session.allocator_text import how, top
from memlint.report.session.growth_words import is_seldom, unit_of
from memlint.report.session.text import when
from memlint.session import ENDED, ENOUGH, Arm, Failure, Peak, Session, is_measured
from memlint.units import plural, size

FIXED = ("fix-", "safe", "all")
"""How the names of runs begin whose script a person could have after `memlint check --fix`."""

DOCS = "docs/simulation.md"
LEAST_SHARE = 0.01
"""Of the peak: a fix that lowers it by less is not worth a line there."""

VARYING, WARM = 0.05, 2
"""Share of the peak by which steps differ before that is said, and the first steps that do in any case."""

SAID = 3
"""Runs that did not take place which are named one by one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether the script fits: `style` is that of the terminal, `facts` stand below the headline."""

    style: str
    headline: str
    facts: tuple[str, ...]


def answer(session: Session) -> Answer:
    """Does it fit, on what, and where is the peak."""
    arm = session.original
    if session.fit is not None:
        style, headline = words.headline(session)
        return Answer(style, headline, tuple(words.facts(session)))
    style, headline = _headline(session)
    where = [*_no_training(arm), *_place(arm), *_not_followed(arm), *_varying(arm), *_until_full(session)]
    return Answer(style, headline, (*where, *_fixed(session), *_simulated(arm), *missing(session)))


def _headline(session: Session) -> tuple[str, str]:
    arm, failure = session.original, session.original.failure
    if failure is not None and failure.out_of_memory:
        then = arm.exhausted
        back = f"{then.forward_file}:{then.forward_line}" if then is not None and then.forward_line else ""
        place = f"{_at(failure)}{f' in the backward of {back}' if back else ''}"
        return "error", f"does not fit: out of memory{place}; peak until then {_filled(session)}"
    if failure is not None and not is_measured(arm.device):
        return "error", "not measured: the run left no result"
    if not is_measured(arm.device):
        return "warning", f"not measured: the script ran on {arm.device}"
    if arm.cut_short:
        until = f"; peak until then {_filled(session)}" if arm.peak.bytes else ""
        return "warning", f"whether it fits is not known: memlint itself failed in {arm.cut_short}{until}"
    if not trained(arm):
        step = "optimizer step" if arm.optimizers else "step"
        where = " in the process of the script itself" if arm.processes else ""
        return "warning", f"no {step} ran{where}: the peak of training is not known ({_what_ran(arm)})"
    if failure is not None:
        so_far = f"until it failed after {plural(len(arm.steps), 'step')}"
        return "error", f"fits {so_far}: {how(arm)}peak {_filled(session)}"
    times = arm.exhausted.times if arm.exhausted is not None else 0
    caught = f" only after running out of memory {plural(times, 'time')}" if times else ""
    cut = ", as far as it ran" if arm.was_cut else ""
    far = " so far" if session.unbounded and not cut else ""
    style = "warning" if times or far else "fixable"
    return style, f"fits{far}{caught}{cut}: {how(arm)}peak {_filled(session)}"


def trained(arm: Arm) -> bool:
    """Whether the peak is that of a training; sessions of an older memlint say so by their steps only."""
    return arm.trained and bool(arm.steps)


def _what_ran(arm: Arm) -> str:
    ran = [plural(count, unit) for unit, count in arm.counts.items() if count]
    return f"only {', '.join(ran)}" if ran else "no forward, backward or optimizer step was seen"


def _filled(session: Session) -> str:
    """The bytes that are held against the memory of the device, and that memory."""
    arm = session.original
    counted, total = arm.cuda, capacity(session)
    if "allocated_peak" in counted:
        both = f"{size(counted['allocated_peak'])} allocated, {size(counted['reserved_peak'])} reserved"
        return f"{both} of {size(total)}" if total else both
    tensors = f"{size(arm.peak.bytes)} of tensors"
    where = "the machine has" if arm.device == "cpu" else "the device has"
    return f"{tensors}; {where} {size(total)}" if total else tensors


def capacity(session: Session) -> int:
    """Bytes of the memory that the peak has to fit into: the GPU's, or the host's; 0 where not known."""
    arm = session.original
    if arm.simulation is not None:
        return int(session.options.get("device_memory", 0))
    return arm.cuda.get("device_total", 0) if arm.cuda else session.environment.memory


def _at(row: Failure | Peak) -> str:
    return f" at {row.file}:{row.line}" if row.line else ""


def _no_training(arm: Arm) -> Iterator[str]:
    ran_out = arm.failure is not None and arm.failure.out_of_memory
    if is_measured(arm.device) and not trained(arm) and arm.peak.bytes and not ran_out:
        yield f"what did run held at most {size(arm.peak.bytes)} of tensors"


def _place(arm: Arm) -> Iterator[str]:
    """Where the peak is: a line, a phase, a step."""
    peak = arm.peak
    if not peak.bytes or not is_measured(arm.device):
        return
    forward = (peak.forward_file, peak.forward_line)
    other = forward[1] and forward != (peak.file, peak.line)
    back = f" (backward of {forward[0]}:{forward[1]})" if other else ""
    word = "at" if peak.line else "the peak is"
    place = f" {peak.file}:{peak.line}{back}," if peak.line else ""
    yield f"{word}{place} in {when(arm)}"


def _not_followed(arm: Arm) -> Iterator[str]:
    if arm.processes:
        started = f"{arm.processes} processes" if arm.processes > 1 else "another process"
        yield f"the script started {started}, which memlint does not follow"


def _varying(arm: Arm) -> Iterator[str]:
    """Steps that need as much as chance has it: of those that did not run, one may need more."""
    peaks = sorted(step.peak for step in arm.steps[WARM:])
    complete = arm.stopped == ENDED and not any(cut.trains for cut in arm.cuts)
    grows = any(not row.within for row in arm.growth)
    if complete or grows or len(peaks) < ENOUGH or not trained(arm):
        return
    # An evaluation between two steps is in the peak of the second: most steps have none.
    low, high = peaks[len(peaks) // 5], peaks[-1 - len(peaks) // 5]
    if high - low > VARYING * arm.peak.bytes:
        yield (
            f"most steps need between {size(low)} and {size(high)} of tensors:"
            " one that did not run may need more"
        )


def _until_full(session: Session) -> Iterator[str]:
    """How long a leak can go on, at its rate."""
    leak = next((leak for leak in session.unbounded if leak.device == session.original.device), None)
    room = capacity(session) - session.original.top_bytes
    if leak is not None and leak.bytes_per_step > 0 and room > 0:
        unit = unit_of(leak.series)
        if is_seldom(leak):
            # How many steps lie between is not known where loops were cut short.
            each = leak.bytes // leak.steps
            so_far = f"{size(each)} at a time, {leak.steps} times so far"
            yield f"it grows by {so_far}: full after {room // each:,} more"
            return
        steps = room // leak.bytes_per_step
        yield f"it grows by {size(leak.bytes_per_step)} per {unit}: at that rate full after {steps:,} {unit}s"


def best(session: Session) -> Arm | None:
    """The run with fixes whose peak is the lowest, where that is lower by a share that counts."""
    ran = [arm for arm in session.arms[1:] if arm.name.startswith(FIXED) and arm.failure is None]
    lowest = min((arm for arm in ran if arm.top_bytes), key=lambda arm: arm.top_bytes, default=None)
    if lowest is None or session.original.failure is not None:
        return None
    before = session.original.top_bytes
    return lowest if before - lowest.top_bytes > LEAST_SHARE * before else None


def short_title(arm: Arm) -> str:
    """ "all safe fixes", or of a single one its code and line."""
    return ":".join(arm.title.split(":")[:2]) if arm.name.startswith("fix-") else arm.title


def _fixed(session: Session) -> Iterator[str]:
    found = best(session)
    if found is not None:
        less = size(session.original.top_bytes - found.top_bytes)
        noise = f"; without fixes, two runs differ by {size(session.spread)}" if session.spread else ""
        yield f"with {short_title(found)}: {how(found)}peak {top(found, size)} ({less} less{noise})"


def _simulated(arm: Arm) -> Iterator[str]:
    if arm.simulation is not None:
        times = sum(row.times for row in arm.simulation.invented)
        values = f"; {plural(times, 'value')} had to be invented" if times else ""
        yield f"simulated: bytes are predicted, nothing ran on a GPU{values}; limits: {DOCS}"


def missing(session: Session) -> Iterator[str]:
    """The runs that did not take place, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for text in session.missing:
        title, _, why = text.rpartition(": ")
        by_reason.setdefault(why, []).append(title)
    for why, titles in by_reason.items():
        more = f" and {len(titles) - SAID} more" if len(titles) > SAID else ""
        yield f"missing, {why}: {'; '.join(titles[:SAID])}{more}"
