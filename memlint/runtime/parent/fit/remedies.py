"""What would make a script fit: its fixes, each simulated on this very script, and what they are together."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memlint.finding import Applicability, Finding
from memlint.runtime.parent.counterfactual import Variant, fix_of, variants
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.replay import Static
from memlint.session import Arm, OnCard, Remedy, Together
from memlint.session.fit import FITS

MOST = 8
"""Changes that are tried, each with a simulation."""

LEAST = 1 << 20
"""Bytes that a change must save to be worth a word: less is what a rounding of the allocator does."""

ABOUT_THE_GPU = ("PEAK", "GROWTH", "RESERVED")
"""Claims of findings whose fix may change what is needed on a GPU."""

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
    overlay: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


def remedies(
    before: OnCard,
    static: Static,
    texts: Mapping[str, str],
    absolute: Callable[[str], str],
    attempt: Attempt,
) -> Remedies:
    """Try the fixes of a script, one by one and then as few together as make it fit.

    `before` is the verdict on the script as it is; `attempt` is called at most 2 * MOST times.
    """
    checked = {path: static.check(path) for path in texts}
    findings = [finding for _, found in checked.values() for finding in found]
    read = {path: text for path, (text, _) in checked.items() if text}
    offered = variants(findings, read, static.combine, _is_about_the_gpu)
    singles = sorted((v for v in offered if v.findings and not v.problem), key=lambda v: not v.safe)
    problems = [f"not tried: {variant.title}" for variant in singles[MOST:]]
    worked: list[tuple[Remedy, Variant]] = []
    for variant in singles[:MOST]:
        answer = attempt(_change(variant, variant.name, variant.title, absolute))
        if isinstance(answer, str):
            problems.append(f"{variant.title}: {answer}")
            continue
        arm, there = answer
        if before.needs - there.needs >= LEAST:
            worked.append((_remedy(variant, findings, before, arm, there), variant))
    worked.sort(key=lambda row: -row[0].saved)
    together, overlay = _together(before, worked, findings, read, static, absolute, attempt)
    return Remedies(tuple(remedy for remedy, _ in worked), together, overlay, tuple(problems))


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


def _change(variant: Variant, name: str, title: str, absolute: Callable[[str], str]) -> Change:
    return Change(name, title, tuple((absolute(path), text) for path, text in variant.overlay))


def _remedy(
    variant: Variant, findings: Sequence[Finding], before: OnCard, arm: Arm, there: OnCard
) -> Remedy:
    finding = findings[variant.findings[0]]
    fix = fix_of(finding)
    assert fix is not None
    return Remedy(
        code=finding.code,
        name=finding.name,
        path=finding.path,
        line=finding.span.line,
        title=fix.title,
        applicability=fix.applicability.value,
        saved=before.needs - there.needs,
        needs=there.needs,
        verdict=there.verdict,
        arm=arm.name,
    )


def _together(
    before: OnCard,
    worked: Sequence[tuple[Remedy, Variant]],
    findings: Sequence[Finding],
    texts: Mapping[str, str],
    static: Static,
    absolute: Callable[[str], str],
    attempt: Attempt,
) -> tuple[Together | None, tuple[tuple[str, str], ...]]:
    """As few changes as make it fit: safe ones before others; None where it fits, or all do not suffice."""
    if before.verdict == FITS:
        return None, ()
    ordered = sorted(worked, key=lambda row: row[0].applicability != Applicability.SAFE.value)
    alone = next((row for row in ordered if row[0].verdict == FITS), None)
    if alone is not None or len(ordered) == 1:
        remedy, variant = alone or ordered[0]
        changed_text = diff(variant.overlay, texts)
        made = Together((remedy.arm,), remedy.needs, remedy.verdict, changed_text, remedy.arm)
        return made, variant.overlay if alone else ()
    last: Together | None = None
    overlay: tuple[tuple[str, str], ...] = ()
    for count in range(2, len(ordered) + 1):
        chosen = [variant for _, variant in ordered[:count]]
        kept = {findings[number].fingerprint for variant in chosen for number in variant.findings}
        others = frozenset(f.fingerprint for f in findings) - kept
        changed = ((path, static.combine(path, text, True, others)) for path, text in texts.items())
        overlay = tuple((path, new) for path, new in changed if new != texts[path])
        safe = all(variant.safe for variant in chosen)
        both = Variant(f"together-{count}", f"{count} changes together", overlay, safe, ())
        answer = attempt(_change(both, both.name, both.title, absolute))
        if isinstance(answer, str):
            continue
        arm, there = answer
        arms = tuple(remedy.arm for remedy, _ in ordered[:count])
        last = Together(arms, there.needs, there.verdict, diff(overlay, texts), arm.name)
        if there.verdict == FITS:
            break
    return last, overlay if last is not None and last.verdict == FITS else ()
