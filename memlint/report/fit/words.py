"""The sentences about whether a script fits, for every form of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlint.report.session.growth_words import unit_of
from memlint.report.session.text import ending
from memlint.session import (
    Arm,
    Decided,
    Exhausted,
    Failure,
    Fit,
    Growing,
    Loop,
    OnCard,
    Remedy,
    Search,
    Session,
    Together,
    Trial,
)
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN
from memlint.session.words import KILLED
from memlint.units import plural, size

GIB = 1 << 30
SMALL = 0.95
"""GiB below which a need is given with two decimals."""

DIFFERENT = 0.05
"""Share of what a change saves in all from which on a report says what it saves of tensors."""

TIGHT = "fits, giving back cached blocks"
"""Of a script that would reserve more than there is, and does with less."""

SYSTEM_EXIT, BAD_ARGUMENTS = "SystemExit", "2"
"""The type of a failure of a script that ends itself, and the status with which argparse does that."""

STYLES = {FITS: "fixable", MAY_NOT: "warning", BREAKS: "error", UNKNOWN: "warning"}


def gib(count: int) -> str:
    """Bytes in GiB, without the unit: "14.9", "0.42"."""
    value = count / GIB
    return f"{value:.1f}" if abs(value) >= SMALL else f"{value:.2f}"


def headline(session: Session) -> tuple[str, str]:
    """The first line, with its style: what is needed, and whether that is there."""
    fit = session.fit
    assert fit is not None
    first = fit.first
    if first.verdict == UNKNOWN:
        return "error", f"not known whether it fits: {why_unknown(session.original)}"
    if fit.budget:
        return _budget(fit)
    if len(fit.cards) > 1:
        return _several(fit)
    if first.verdict == BREAKS:
        return STYLES[BREAKS], breaks(first)
    if first.verdict == MAY_NOT and fit.growing is not None and fit.growing.decides(first):
        each = size(fit.growing.each)
        return STYLES[MAY_NOT], f"{for_so_long(first, fit.growing)}: {each} more with each"
    if first.verdict == MAY_NOT:
        band = f"{gib(first.least)} to {gib(first.most)}"
        return STYLES[MAY_NOT], f"may not fit: needs {band} of {gib(first.total)} GiB"
    need, total = f"{up_to(fit)}{gib(first.needs)}", gib(first.total)
    returns = f"cached blocks {plural(first.retries, 'time')}" if first.retries else ""
    if returns and first.needs > first.total:
        more = f"with more room it takes {need} GiB"
        return "warning", f"fits in {total} GiB: torch gives back {returns}; {more}"
    free = f", {gib(first.free)} GiB free" if first.free > 0 else ""
    tight = f", giving back {returns}" if returns else ""
    return "warning" if returns else STYLES[FITS], f"needs {need} of {total} GiB: fits{free}{tight}"


def up_to(fit: Fit) -> str:
    """Before a need that hangs on how much masks select."""
    return "up to " if fit.masked else ""


def for_so_long(found: OnCard, what: Growing) -> str:
    """How many steps a script fits for that leaves something behind with each."""
    of = f" of {what.of:,}" if what.of else ""
    return f"fits for {what.full_after(found):,}{of} steps"


def breaks(found: OnCard) -> str:
    """Where a script breaks on a card, and what it could not have."""
    then = found.exhausted
    place = f" at {in_place(then)}" if then is not None else ""
    return f"breaks{place}{f', asking for {size(found.asked)}' if found.asked else ''}"


def in_place(then: Exhausted) -> str:
    """A line, a phase and a step."""
    line = f"{then.file}:{then.line}" if then.line else "a line of a library"
    phase = "other code" if then.phase == "other" else then.phase
    return f"{line} in {phase}, step {then.step}"


def _budget(fit: Fit) -> tuple[str, str]:
    first = fit.first
    budget = f"the budget of {gib(fit.budget)} GiB"
    if first.verdict == BREAKS and first.total != fit.budget:
        return STYLES[BREAKS], f"{breaks(first)}: the card has too little for {budget} to matter"
    if fit.within:
        left = gib(fit.budget - first.needs)
        return STYLES[FITS], f"needs {up_to(fit)}{gib(first.needs)} GiB: within {budget}, {left} GiB left"
    over = first.needs - fit.budget
    if over > 0 and not (fit.masked and first.least <= fit.budget):
        return STYLES[BREAKS], f"needs {gib(first.needs)} GiB: over {budget} by {size(over)}"
    band = f"{gib(first.least)} to {gib(first.most)}"
    return STYLES[MAY_NOT], f"needs {band} GiB: may be over {budget}"


def figures(row: OnCard) -> tuple[str, str]:
    """What a script needs of a card and leaves free there, in GiB; nothing where that is not known."""
    return ("", "") if row.verdict == UNKNOWN else (gib(row.needs), gib(row.free))


def _several(fit: Fit) -> tuple[str, str]:
    good = [row for row in fit.cards if row.verdict == FITS]
    needs = sorted({row.needs for row in fit.cards if row.verdict != UNKNOWN})
    band = gib(needs[0]) if gib(needs[0]) == gib(needs[-1]) else f"{gib(needs[0])} to {gib(needs[-1])}"
    if not good:
        return STYLES[BREAKS], f"needs {band} GiB: fits none of {len(fit.cards)} cards"
    smallest = min(good, key=lambda row: row.total)
    which = f", the smallest is {smallest.card or smallest.title}"
    return STYLES[FITS], f"needs {band} GiB: fits {len(good)} of {len(fit.cards)} cards{which}"


def facts(session: Session) -> Iterator[str]:
    """What stands below the first line: the card, how far the script ran, what the band leaves open."""
    fit, arm = session.fit, session.original
    assert fit is not None
    first = fit.first
    if len(fit.cards) == 1:
        yield f"on {_card(first)}, simulated"
    if first.verdict == UNKNOWN:
        return
    named = {term.name for term in fit.terms}
    also = [words for name, words in _BESIDE.items() if name in named]
    if fit.masked:
        also.append("what masks select")
    yield from _need(first, several=len(fit.cards) > 1, also=also)
    if fit.masked:
        yield (
            f"{size(fit.masked)} of it hang on how much masks, nonzero() and unique() find, here taken as "
            "all: --selected PERCENT takes less"
        )
    yield from _ran(arm)
    if fit.loop is not None:
        yield _looping(fit.loop, first)
    if fit.growing is not None:
        yield _growth(fit.growing, first, unit_of(arm.unit))


def _card(found: OnCard) -> str:
    if not found.card:
        return found.title
    major, minor = found.capability
    return f"{found.title} (compute capability {major}.{minor}, {size(found.total)})"


_BESIDE = {"NCCL": "NCCL's buffers", "cuDNN": "what cudnn.benchmark tries"}
"""What the band comes from beside the context, by the names of terms."""


def _need(first: OnCard, *, several: bool, also: Sequence[str]) -> Iterator[str]:
    if first.verdict == BREAKS and not several:
        at_least = f"; with less than {gib(first.enough)} it breaks" if first.enough else ""
        yield f"it would need {gib(first.least)} to {gib(first.most)} GiB in all{at_least}"
        return
    where = f" on {first.card or first.title}" if several else ""
    band = f"{size(first.least)} to {size(first.most)}"
    if first.verdict != BREAKS:
        yield f"{band}{where}, depending on {_listed(['the CUDA context', *also])}"
    if first.enough and first.enough < first.least - (first.most - first.least) and not several:
        least = f"down to {size(first.enough)}"
        yield f"with less, {least}, it runs while torch gives back what it has cached, and is slower"


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _looping(loop: Loop, first: OnCard) -> str:
    """What a loop keeps, and how far it gets on the card."""
    place = f"the loop at {loop.file}:{loop.line}"
    keeps = f"{place} keeps {size(loop.each)} of each of its {loop.of:,} iterations"
    done = f"{loop.ran} and {loop.ran_again} were simulated"
    if first.verdict == FITS or first.free >= 0:
        return f"{keeps} ({done}; the rest is in the need)"
    last = loop.of + first.free // loop.each
    return f"{keeps} ({done}): it gets to iteration {max(last, 0):,}"


def _growth(what: Growing, first: OnCard, unit: str) -> str:
    """What piles up from step to step, and how far that goes."""
    grows = f"grows by {size(what.each)} with every {unit} at {what.file}:{what.line}"
    if what.until:
        full = (
            f"{size(what.more)} more are in the need"
            if what.more
            else "how much, is not known, and not in the need"
        )
        return f"{grows}, until that is full ({what.until}): {full}"
    if what.of > what.ran:
        return f"{grows}: {what.of:,} {unit}s at most are in the need, of which {what.ran:,} were simulated"
    if what.of or not what.decides(first):
        return grows
    return f"{grows}: full after {what.full_after(first):,} {unit}s"


def _ran(arm: Arm) -> Iterator[str]:
    steps = plural(len(arm.steps), unit_of(arm.unit))
    yield f"{steps}; {ending(arm)}"
    if not arm.trained:
        yield "no optimizer step was seen: this is not the peak of a training"
    if arm.simulation is not None and arm.simulation.invented:
        times = sum(row.times for row in arm.simulation.invented)
        yield f"{plural(times, 'value')} had to be invented{_acted_on(arm.simulation.decided)}"


def _acted_on(decided: Sequence[Decided]) -> str:
    """Whether the script's branches hang on what was made up; what a library does with it is not known."""
    decided = [row for row in decided if not row.counts]
    if any(row.turned for row in decided):
        return ": conditions that hang on them went the other way, which needs more"
    if any(row.other for row in decided):
        return ": conditions of the script hang on them (see below)"
    return ", and no condition of the script hangs on them that may take memory"


def why_unknown(arm: Arm) -> str:
    """Why a run of the script as it is gave no answer."""
    if arm.failure is not None:
        return _failed(arm.failure)
    if arm.cut_short:
        return f"memlint itself failed in {arm.cut_short}"
    if "reserved_peak" not in arm.cuda and arm.was_cut:
        return f"{ending(arm)}, before anything was put on a GPU"
    if "reserved_peak" not in arm.cuda:
        held = f"; on the CPU its tensors take at most {size(arm.peak.bytes)}" if arm.peak.bytes else ""
        return f"the script puts no tensor on a GPU{held}"
    if arm.was_cut:
        so_far = size(arm.cuda["reserved_peak"])
        return f"{ending(arm)}; torch's allocator had reserved {so_far} until then"
    return f"{ending(arm)} before a step of training was seen"


def _failed(failure: Failure) -> str:
    place = f" at {failure.file}:{failure.line}" if failure.line else ""
    if failure.is_doubtful:
        return f"the script failed{place}: it was given invented values"
    if failure.type == SYSTEM_EXIT:
        status = f" with status {failure.said}" if failure.said.isdecimal() else f": {failure.said}"
        asks = " (arguments of the script go behind its name)" if failure.said == BAD_ARGUMENTS else ""
        return f"the script ended itself{place}{status}{asks}"
    if failure.type == KILLED:
        return failure.said
    return f"the script failed{place}: {failure.type}{f': {failure.said}' if failure.said else ''}"


def best(search: Search) -> str:
    """The largest value that fits, as a sentence."""
    if not search.best:
        tried = min((row.value for row in search.trials), default=search.given)
        return f"{search.name}: no value fits, down to {tried:,}"
    ended = f"; {search.ended}" if search.ended else ""
    unsure = any(row.value == search.limit and row.verdict == MAY_NOT for row in search.trials)
    refused = "may not" if unsure else "does not"
    if search.limit > search.best + 1:
        # Large values are searched in steps.
        between = "between them none was tried"
        return f"{search.name} {search.best:,} fits, {search.limit:,} {refused}; {between}{ended}"
    if not search.limit:
        return f"{search.name} fits up to {search.best:,}{ended}"
    return f"the largest {search.name} that fits is {search.best:,} ({search.limit:,} {refused}){ended}"


def tried(row: Trial, card: OnCard) -> str:
    """The verdict on one value of a search."""
    return TIGHT if row.verdict == FITS and row.needs > card.total else row.verdict


def about_remedies(fit: Fit) -> str:
    """What the list of changes is headed by; "" where none were tried."""
    if fit.remedies is None:
        return ""
    if not fit.remedies:
        return "no change that memlint knows saves anything there" + (
            "" if fit.first.verdict == FITS and fit.within else ": a smaller batch may (--max-batch)"
        )
    aim = "save something" if fit.first.verdict == FITS and fit.within else "help"
    return f"changes that {aim}, each simulated on this script"


def saving(row: Remedy) -> str:
    """What a change saves alone."""
    return f"{size(row.saved)} less" if row.saved else "nothing alone"


def written_alone(fit: Fit) -> tuple[Remedy, ...]:
    """The changes whose diffs are shown one by one: those of a script that fits as it is."""
    return tuple(row for row in fit.remedies or () if row.diff) if fit.together is None else ()


def of_remedy(row: Remedy) -> str:
    """What a change does, and what it asks for."""
    if row.code:
        return f"{row.code} at {row.path}:{row.line}: {row.title} ({row.applicability} fix)"
    if row.applicability:
        return f"{row.name} at {row.path}:{row.line}: {row.title} ({row.applicability} change)"
    return f"{row.name}: {row.title}"


def known_as(row: Remedy, others: Sequence[Remedy] = ()) -> str:
    """A change in two or three words, and more of them where one of the `others` has the same name."""
    if row.code:
        return f"{row.code} at {row.path}:{row.line}"
    alike = sum(other.name == row.name for other in others) > 1
    return f"{row.name} ({row.title.partition(',')[0]})" if alike else row.name


def details(row: Remedy) -> Iterator[tuple[str, str]]:
    """What a change costs, how to write one that memlint does not write, and what it saves of tensors.

    A label and a text each, growth where there is any; tensors where the allocator's reserve makes a
    difference.
    """
    if row.tensors and abs(row.saved - row.tensors) > DIFFERENT * row.saved:
        less = "less" if row.tensors > 0 else "more"
        yield "tensors", f"{size(abs(row.tensors))} {less} at their peak, without the allocator's reserve"
    if row.growth:
        less = "less" if row.growth > 0 else "more"
        yield "growth", f"{size(abs(row.growth))} {less} with every step"
    if row.price:
        yield "price", row.price
    if row.how:
        yield "write", row.how


def about_together(fit: Fit) -> str:
    """What the changes together come to; "" where that was not asked, or is what one comes to."""
    found = fit.together
    if found is None:
        return ""
    result = _comes_to(fit, found)
    tried = fit.remedies or ()
    names = [known_as(row, tried) for row in tried if row.arm in found.arms]
    if len(names) == 1:
        return f"with {names[0]} alone it {result}"
    which = f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
    return f"with {plural(len(found.arms), 'change')} together it {result} ({which})"


def _comes_to(fit: Fit, found: Together) -> str:
    """What a script needs with changes, and whether that is little enough."""
    card = fit.first
    least, most = (found.needs + end - card.needs for end in (card.least, card.most))
    if fit.budget:
        budget = f"the budget of {gib(fit.budget)} GiB"
        if most <= fit.budget:
            return f"needs {gib(found.needs)} GiB: within {budget}"
        if found.needs > fit.budget:
            return f"needs {gib(found.needs)} GiB: over {budget}"
        return f"needs {gib(least)} to {gib(most)} GiB: may be over {budget}"
    amount = f"{gib(least)} to {gib(most)}" if found.verdict == MAY_NOT else gib(found.needs)
    verdict = TIGHT if found.verdict == FITS and found.needs > card.total else found.verdict
    return f"needs {amount} of {gib(card.total)} GiB: {verdict}"
