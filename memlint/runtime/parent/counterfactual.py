"""Which edited scripts to run beside the original: one per fix, all safe fixes, all fixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memlint.finding import Applicability, Finding, Fix
from memlint.session import Arm
from memlint.source.text import apply_edits

Combine = Callable[[str, str, bool, frozenset[str]], str]
"""(path, text, unsafe, without) to the text with all its fixes up to that applicability applied.

The findings whose fingerprints are in `without` keep their lines as they are.
"""

SAFE, EVERYTHING, GROWTH = "safe", "all", "growth"
TO_HOST = re.compile(r"""\.cpu\(\)|["']cpu["']""")


@dataclass(frozen=True, slots=True)
class Variant:
    """One counterfactual program: `overlay` holds (path, text) of the edited files.

    `safe` says that it must compute the same as the original; `findings` are indices into the list of
    findings that it answers for (several combined variants answer for none). `problem` is why it cannot
    be run; `without` are the fingerprints of findings whose fixes a combined one leaves out.
    """

    name: str
    title: str
    overlay: tuple[tuple[str, str], ...]
    safe: bool
    findings: tuple[int, ...]
    problem: str = ""
    without: frozenset[str] = frozenset()


def fix_of(finding: Finding) -> Fix | None:
    """The first fix of a finding that changes the file."""
    offered = (finding.fix, *finding.alternatives)
    return next((f for f in offered if f and f.edits and f.applicability is not Applicability.DISPLAY), None)


def moves_to_host(finding: Finding) -> bool:
    """Whether the fix of a finding puts tensors into host memory: on the CPU it changes nothing."""
    fix = fix_of(finding)
    return fix is not None and any(TO_HOST.search(edit.text) for edit in fix.edits)


def variants(
    findings: Sequence[Finding],
    texts: Mapping[str, str],
    combine: Combine,
    wanted: Callable[[Finding], bool] = lambda finding: True,
) -> list[Variant]:
    """One variant per wanted finding with a fix, then all safe fixes and all fixes where there are several.

    Nothing is learnt from the fix of a line that never ran: such findings are not wanted, and `combine`
    leaves them out as well.
    """
    found: list[Variant] = []
    for number, finding in enumerate(findings):
        fix = fix_of(finding) if wanted(finding) else None
        if fix is not None and finding.path in texts:
            found.append(_single(number, finding, fix, texts[finding.path]))
    several = {name for name, count in _counts(findings, found).items() if count > 1}
    for name, title, unsafe in ((SAFE, "all safe fixes", False), (EVERYTHING, "all fixes", True)):
        if name not in several:
            continue
        overlay = _combined(texts, combine, unsafe, frozenset())
        if overlay and all(overlay != other.overlay for other in found):
            found.append(Variant(name, title, overlay, not unsafe and _is_safe(findings), ()))
    return _merged(found)


def _counts(findings: Sequence[Finding], singles: Sequence[Variant]) -> dict[str, int]:
    """How many different programs the fixes make one by one: a combination of one is that one again."""
    fixes = {v.overlay: fix_of(findings[n]) for v in singles for n in v.findings}
    safe = sum(fix is not None and fix.applicability is not Applicability.UNSAFE for fix in fixes.values())
    return {SAFE: safe, EVERYTHING: len(fixes)}


def _single(number: int, finding: Finding, fix: Fix, text: str) -> Variant:
    title = f"{finding.code} at {finding.path}:{finding.span.line}: {fix.title}"
    safe = fix.applicability is Applicability.SAFE
    new = apply_edits(text, list(fix.edits))
    try:
        compile(new, finding.path, "exec", dont_inherit=True)
    except SyntaxError as error:
        problem = f"the fixed text does not compile: {error.msg}"
        return Variant(f"fix-{number + 1}", title, (), safe, (number,), problem)
    return Variant(f"fix-{number + 1}", title, ((finding.path, new),), safe, (number,))


def _is_safe(findings: Sequence[Finding]) -> bool:
    # A repair is applied together with the safe fixes, but it makes code run that never ran.
    return not any(f.fix is not None and f.fix.applicability is Applicability.REPAIR for f in findings)


def _combined(
    texts: Mapping[str, str], combine: Combine, unsafe: bool, without: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    changed = ((path, combine(path, text, unsafe, without)) for path, text in sorted(texts.items()))
    return tuple((path, new) for path, new in changed if new != texts[path])


def of_growth(
    found: Sequence[Variant], findings: Sequence[Finding], texts: Mapping[str, str], combine: Combine
) -> Variant | None:
    """The combined variant with the fixes of what grows, and no others; None where that is none of its own.

    A fix that keeps a whole graph from being recorded answers for every line that would keep it.
    """
    others = frozenset(
        f.fingerprint for f in findings if f.claim is None or not f.claim.type.startswith("GROWTH")
    )
    overlay = _combined(texts, combine, True, others)
    if not overlay or any(overlay == other.overlay for other in found):
        return None
    return Variant(GROWTH, "all fixes of what grows", overlay, False, (), without=others)


def all_but(
    single: Variant, whole: Variant, findings: Sequence[Finding], texts: Mapping[str, str], combine: Combine
) -> Variant | None:
    """The combined variant `whole` without the fixes of `single`; None where that is not another program.

    Of two equal lines, the second cannot be left as it is once the first is fixed: nothing tells them
    apart then.
    """
    kept = whole.without | {findings[number].fingerprint for number in single.findings}
    overlay = _combined(texts, combine, whole.name != SAFE, kept)
    if overlay == whole.overlay:
        return None
    lines = ", ".join(f"{findings[n].path}:{findings[n].span.line}" for n in single.findings)
    name = f"{whole.name}-but-{single.name.rpartition('-')[2]}"
    return Variant(name, f"{whole.title} but that of {lines}", overlay, whole.safe, ())


def _merged(found: Sequence[Variant]) -> list[Variant]:
    """Variants with the same text become one that answers for all their findings."""
    by_text: dict[tuple[tuple[str, str], ...], Variant] = {}
    others = []
    for variant in found:
        if variant.problem:
            others.append(variant)
        elif (known := by_text.get(variant.overlay)) is None:
            by_text[variant.overlay] = variant
        else:
            both = (*known.findings, *variant.findings)
            by_text[variant.overlay] = Variant(
                known.name, known.title, known.overlay, known.safe and variant.safe, both
            )
    return [*by_text.values(), *others]


def first_difference(original: Arm, again: Arm | None, fixed: Arm) -> str:
    """Where a safe fix changed the losses, in words; "" when it did not, or when no comparison is fair.

    A script whose losses differ from run to run by themselves proves nothing; a run that a limit has
    cut short is compared as far as it went.
    """
    if again is not None and not _same_beginning(original.losses, again.losses):
        return ""
    for number, (old, new) in enumerate(zip(original.losses, fixed.losses, strict=False), 1):
        if old != new:
            return f"loss {number} is {float.fromhex(new)!r} instead of {float.fromhex(old)!r}"
    if original.stopped == fixed.stopped == "the script ended" and len(original.losses) != len(fixed.losses):
        return f"{len(fixed.losses)} losses instead of {len(original.losses)}"
    return ""


def _same_beginning(one: Sequence[str], other: Sequence[str]) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))
