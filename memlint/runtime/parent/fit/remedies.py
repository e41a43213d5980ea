"""What would make a script fit: changes, each simulated on this very script, and the cheapest together."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from memlint.finding import Finding
from memlint.runtime.cards import Card
from memlint.runtime.parent.counterfactual import Variant, variants
from memlint.runtime.parent.fit.candidates import (
    ACCUMULATE,
    WHOLE,
    Candidate,
    accumulating,
    as_written,
    of_fix,
    of_offers,
)
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.knob import Knob
from memlint.runtime.parent.fit.written.arguments import calls
from memlint.runtime.parent.fit.written.page import RefusedError
from memlint.runtime.parent.fit.written.write import ARGUMENT, write
from memlint.runtime.parent.replay import Static
from memlint.session import Arm, OnCard, Remedy, Together
from memlint.session.fit import FITS

MOST = 8
"""Fixes that are tried, each with a simulation."""

MOST_TOGETHER = 6
"""Combinations that are tried."""

LARGEST = 4
"""Changes of such a combination, unless all are made."""

LEAST = 1 << 20
"""Bytes that a change must save to be worth a word: less is what a rounding of the allocator does."""

SHARE = 0.01
"""Of the need: what a change must save whose tensors take no less at their peak."""

_NOT_ACCUMULATED = {
    "compares": "the loss compares the items of a batch with one another, and smaller batches make another "
    "loss of it",
    "in turn": "several optimizers step in turn, and gradients of one would be summed into those of another",
    "by hand": "no optimizer of torch makes the steps that would have to wait",
}
"""Why accumulation is not tried, by what a run says of it."""

ABOUT_THE_GPU = ("PEAK", "GROWTH", "RESERVED")
"""Claims of findings whose fix may change what is needed on a GPU."""

Overlay = tuple[tuple[str, str], ...]
Attempt = Callable[[Change], tuple[Arm, OnCard] | str]
"""Simulates a change on the first card: the run and its verdict, or why there is none."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """The changes that saved something, the most first, those together that make it fit, and what was left.

    `overlay` is the changed text of each file, by the path that reports show, and `problems` say what could
    not be tried.
    """

    found: tuple[Remedy, ...] = ()
    together: Together | None = None
    overlay: Overlay = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be made to fit.

    `original` is the run of the script as it is, `before` the verdict on it, `card` the card and `budget`
    the bytes that it may need (0: all of the card). `knob` is its batch size where no DataLoader has one.
    With `by_fixes`, fixes that suffice go before cheaper changes that are to be written by hand.
    """

    original: Arm
    before: OnCard
    card: Card
    budget: int = 0
    knob: Knob | None = None
    by_fixes: bool = False

    def suffices(self, there: OnCard) -> bool:
        """Whether a verdict is what was wanted."""
        return there.verdict == FITS and (not self.budget or there.most <= self.budget)

    def gains(self, arm: Arm, there: OnCard) -> bool:
        """Whether a change is worth a word: it saves memory, or half of what every step leaves behind.

        A little that only the allocator's reserve has less is none: that differs with any order of requests.
        """
        saved = self.before.needs - there.needs
        lower = arm.peak.bytes < self.original.peak.bytes
        if saved >= LEAST and (lower or saved >= SHARE * self.before.needs):
            return True
        return saved >= 0 and 2 * (self.before.grows - there.grows) > self.before.grows

    def relieves(self, arm: Arm) -> bool:
        """Whether a change lowers the peak of tensors, though not what the allocator reserves around them."""
        return self.original.peak.bytes - arm.peak.bytes >= LEAST

    @property
    def missing(self) -> int:
        """Bytes by which the need has to fall, roughly."""
        return self.before.most - min(self.budget or self.before.total, self.before.total)


@dataclass(slots=True)
class _Files:
    """The texts that were checked, and the findings in them."""

    static: Static
    texts: Mapping[str, str]
    findings: Sequence[Finding]
    absolute: Callable[[str], str]

    def changed(self, chosen: Sequence[Candidate]) -> Overlay:
        """The texts with several fixes, and what else can be written.

        Raises:
            RefusedError: one of them cannot be written, or not together with the others.
        """
        kept = {
            self.findings[number].fingerprint
            for row in chosen
            for number in (row.variant.findings if row.variant is not None else ())
        }
        now = dict(self.texts)
        if kept:
            others = frozenset(f.fingerprint for f in self.findings) - kept
            now = {path: self.static.combine(path, text, True, others) for path, text in now.items()}
        writings = [row.writing for row in chosen if row.writing is not None]
        if writings:
            now.update(write(writings, self.texts, now))
        return tuple((path, new) for path, new in now.items() if new != self.texts[path])

    def written(self, candidate: Candidate) -> Candidate | None:
        """A change as it is written into the files, None where it cannot be."""
        for writing in (candidate.writing, candidate.otherwise):
            if writing is None:
                continue
            if writing.kind == ARGUMENT:
                writing = replace(writing, regions=calls(self.texts))
            found = replace(candidate, writing=writing)
            try:
                overlay = self.changed([found])
            except RefusedError:
                continue
            return as_written(found, self.placed(overlay), *writing.line)
        return None

    def diff(self, candidate: Candidate) -> str:
        """What a change writes; "" where it writes nothing."""
        return diff(self.changed([candidate]), self.texts) if candidate.is_written else ""

    def placed(self, overlay: Overlay) -> Overlay:
        """The same by absolute paths."""
        return tuple((self.absolute(path), text) for path, text in overlay)


@dataclass(frozen=True, slots=True)
class _Worked:
    """A change that saved something, and what it came to alone.

    One that `saves` nothing lowers the peak of tensors only.
    """

    remedy: Remedy
    candidate: Candidate
    suffices: bool
    saves: bool

    @property
    def promises(self) -> int:
        """Bytes that it may save together with others."""
        return self.remedy.saved if self.saves else self.remedy.tensors


def remedies(
    asked: Asked,
    static: Static,
    texts: Mapping[str, str],
    absolute: Callable[[str], str],
    attempt: Attempt,
    begin: Callable[[Sequence[Change]], None] = lambda changes: None,
) -> Remedies:
    """Try the changes of a script, each alone and then the cheapest together that make it fit.

    `begin` gets changes that will be attempted, in their order.
    """
    checked = {path: static.check(path) for path in texts}
    findings = [finding for _, found in checked.values() for finding in found]
    read = {path: text for path, (text, _) in checked.items() if text}
    files = _Files(static, read, findings, absolute)
    offered = variants(findings, read, static.combine, _is_about_the_gpu)
    singles = sorted((v for v in offered if v.findings and not v.problem), key=lambda v: not v.safe)
    problems = [f"not tried: {variant.title}" for variant in singles[MOST:]]
    why = next((offer.what for offer in asked.original.offers if offer.change == WHOLE), "")
    if why:
        problems.append(f"gradient accumulation was not tried: {_NOT_ACCUMULATED[why]}")
    fixes = [of_fix(variant, findings, _of_variant(variant, files)) for variant in singles[:MOST]]
    worked: list[_Worked] = []

    def attempt_all(candidates: Sequence[Candidate]) -> None:
        pairs = [(candidate, files.written(candidate)) for candidate in candidates]
        begin([(written or candidate).change for candidate, written in pairs])
        for pair in pairs:
            attempt_one(*pair)

    def attempt_one(candidate: Candidate, written: Candidate | None) -> None:
        answer = attempt(written.change) if written is not None else ""
        if written is not None and not isinstance(answer, str):
            candidate = written
        else:
            candidate = replace(candidate, writing=None)
            answer = attempt(candidate.change)
        if isinstance(answer, str):
            problems.append(f"{candidate.change.title}: {answer}")
            return
        saves = asked.gains(*answer) or (asked.suffices(answer[1]) and not asked.suffices(asked.before))
        if saves or asked.relieves(answer[0]):
            remedy = _remedy(candidate, asked, *answer, files.diff(candidate))
            worked.append(_Worked(remedy, candidate, asked.suffices(answer[1]), saves))

    attempt_all(fixes)
    written = frozenset(row.candidate.code for row in worked)
    attempt_all(list(of_offers(asked.original, asked.card, written, asked.knob)))
    if (further := _further(asked, worked)) is not None:
        attempt_one(further, files.written(further))
    worked.sort(key=lambda row: (not row.saves, -row.promises))
    together, overlay = _cheapest(asked, worked, files, attempt)
    taken = together.arms if together is not None else ()
    shown = tuple(row.remedy for row in worked if row.saves or row.remedy.arm in taken)
    return Remedies(shown, together, overlay, tuple(problems))


def diff(overlay: Sequence[tuple[str, str]], texts: Mapping[str, str]) -> str:
    """The changed files as one unified diff."""
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for path, new in overlay
        for line in difflib.unified_diff(
            texts[path].splitlines(keepends=True), new.splitlines(keepends=True), path, path
        )
    )


def _is_about_the_gpu(finding: Finding) -> bool:
    return finding.claim is not None and finding.claim.type in ABOUT_THE_GPU


def _of_variant(variant: Variant, files: _Files) -> Change:
    return Change(variant.name, variant.title, files.placed(variant.overlay))


def _remedy(candidate: Candidate, asked: Asked, arm: Arm, there: OnCard, written: str) -> Remedy:
    return Remedy(
        code=candidate.code,
        name=candidate.name,
        path=candidate.path,
        line=candidate.line,
        title=candidate.title,
        applicability=candidate.applicability,
        saved=max(0, asked.before.needs - there.needs),
        needs=there.needs,
        verdict=there.verdict,
        arm=arm.name,
        price=candidate.price,
        how=candidate.how,
        tensors=asked.original.peak.bytes - arm.peak.bytes,
        growth=asked.before.grows - there.grows,
        diff=written,
    )


def _further(asked: Asked, worked: Sequence[_Worked]) -> Candidate | None:
    """Batches so small that they suffice, by what halves have saved; None where these do, or nothing."""
    half = next((row for row in worked if row.candidate.kind == ACCUMULATE), None)
    if half is None or half.suffices or asked.missing <= 0:
        return None
    times = 2
    # A batch in n parts needs 1/n of what grows with it; half of that is what halves have saved.
    while 2 * half.remedy.saved * (1 - 1 / times) < asked.missing and times < 1 << 16:
        times *= 2
    return accumulating(asked.original, asked.card, asked.knob, times) if 2 < times < 1 << 16 else None


def _cheapest(
    asked: Asked, worked: Sequence[_Worked], files: _Files, attempt: Attempt
) -> tuple[Together | None, Overlay]:
    """What is to be changed: fixes alone, where that was asked and they suffice, or whatever is cheapest."""
    if asked.by_fixes:
        fixes = [row for row in worked if row.candidate.is_written]
        made, overlay = _together(asked, fixes, files, attempt, "fixes")
        if overlay:
            return made, overlay
    return _together(asked, worked, files, attempt, "together")


def _together(
    asked: Asked, worked: Sequence[_Worked], files: _Files, attempt: Attempt, name: str
) -> tuple[Together | None, Overlay]:
    """The cheapest changes that make it fit; None where it fits, all there are where these do not suffice."""
    if asked.suffices(asked.before) or not worked:
        return None, ()
    enough = [row for row in worked if row.suffices]
    if enough or len(worked) == 1:
        row = min(enough, key=lambda row: row.candidate.rank) if enough else worked[0]
        if not row.saves:
            return None, ()
        made, overlay = _alone(row, files)
        return made, overlay if row.suffices else ()
    best = max((row for row in worked if row.saves), key=_saving, default=None)
    last = _alone(best, files)[0] if best is not None else None
    for number, chosen in enumerate(_in_turn(asked, worked), 1):
        try:
            overlay = files.changed([row.candidate for row in chosen])
        except RefusedError:
            continue
        change = _joined(f"{name}-{number}", [row.candidate for row in chosen], files.placed(overlay))
        answer = attempt(change)
        if isinstance(answer, str):
            continue
        arm, there = answer
        if last is None or there.needs <= last.needs - LEAST or asked.suffices(there):
            arms = tuple(row.remedy.arm for row in chosen)
            last = Together(arms, there.needs, there.verdict, diff(overlay, files.texts), arm.name)
        if asked.suffices(there):
            return last, overlay
    return last, ()


def _alone(row: _Worked, files: _Files) -> tuple[Together, Overlay]:
    overlay = files.changed([row.candidate]) if row.candidate.is_written else ()
    shown = diff(overlay, files.texts)
    return Together((row.remedy.arm,), row.remedy.needs, row.remedy.verdict, shown, row.remedy.arm), overlay


def _saving(row: _Worked) -> int:
    return row.remedy.saved


def _joined(name: str, chosen: Sequence[Candidate], overlay: Overlay) -> Change:
    """Several changes as one; what a batch size is written as does not go with fixes of the same file."""
    runtime = tuple(word for row in chosen for word in row.change.runtime)
    own = {path: text for row in chosen if not row.is_written for path, text in row.change.overlay}
    arguments = next((row.change.arguments for row in chosen if row.change.arguments), ())
    title = f"{len(chosen)} changes together"
    parts = max(row.change.parts for row in chosen)
    return Change(name, title, tuple({**own, **dict(overlay)}.items()), arguments, runtime, parts)


def _in_turn(asked: Asked, worked: Sequence[_Worked]) -> Iterator[Sequence[_Worked]]:
    """Combinations to try: the cheapest of those that may suffice by what each saves alone, at last all."""
    promising = [
        chosen
        for count in range(2, min(len(worked), LARGEST) + 1)
        for chosen in combinations(worked, count)
        if _agree(chosen) and sum(row.promises for row in chosen) >= asked.missing
    ]
    promising.sort(key=lambda chosen: (sum(1 + row.candidate.rank for row in chosen), -_saved(chosen)))
    tried = promising[: MOST_TOGETHER - 2]
    yield from tried
    for rows in ([row for row in worked if row.saves], worked):
        everything: list[_Worked] = []
        for row in rows:
            if _agree([*everything, row]):
                everything.append(row)
        if len(everything) > 1 and tuple(everything) not in tried:
            tried.append(tuple(everything))
            yield everything


def _saved(chosen: Sequence[_Worked]) -> int:
    return sum(row.promises for row in chosen)


def _agree(chosen: Sequence[_Worked]) -> bool:
    """Whether changes can be made together: no two of a kind that is made at run time, none excluded."""
    for one, other in combinations([row.candidate for row in chosen], 2):
        if not one.goes_with(other) or (one.kind == other.kind and one.variant is None):
            return False
        files = {path for path, _ in one.change.overlay} & {path for path, _ in other.change.overlay}
        if files and one.is_written != other.is_written:
            return False
    return True
