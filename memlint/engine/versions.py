"""What a finding takes for granted about versions, and where the version of the project was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from memlint.catalogue import Rule, version_fits
from memlint.finding import Applicability, Finding, Fix, Note, Requirement

if TYPE_CHECKING:
    from memlint.analysis.match import Match
    from memlint.engine.checks import Checks

TORCH = "torch"


def named(finding: Finding, rule: Rule, match: Match, checks: Checks) -> Finding:
    """A finding that says what it takes for granted about versions."""
    requires = _requirements(rule, match, checks)
    if not requires:
        return finding
    fix = _with_caution(finding.fix, requires) if finding.fix is not None else None
    return replace(finding, fix=fix, notes=(*finding.notes, *_notes(requires, fix)), requires=requires)


def concern(rule: Rule, checks: Checks) -> bool:
    """Whether a rule can speak about code for the versions that a project has; unknown ones may be any."""
    wanted = ((TORCH, rule.requires_torch), *rule.requires)
    read = ((checks.version_of(package)[0], needed) for package, needed in wanted)
    fits = all(version is None or version_fits(version, needed) for version, needed in read)
    return fits and not any(checks.rules_out(package, needed) for package, needed in wanted)


def concerns(match: Match, checks: Checks) -> bool:
    """Whether a match can be true for the versions that the files of a project leave room for."""
    return not any(
        checks.rules_out(package, needed) for package, needed in ((TORCH, match.holds), *match.about)
    )


def _requirements(rule: Rule, match: Match, checks: Checks) -> tuple[Requirement, ...]:
    """The versions that a finding depends on, then those that its fix needs to be safe."""
    wanted = [(TORCH, spec) for spec in dict.fromkeys((rule.requires_torch, match.holds)) if spec]
    wanted += rule.requires
    found = [_read(package, needed, checks) for package, needed in wanted]
    needs = [plan.needs for plan in match.plans[:1] if plan.needs]
    return (*found, *(replace(_read(TORCH, f">={spec}", checks), of_fix=True) for spec in needs))


def _read(package: str, needed: str, checks: Checks) -> Requirement:
    version, origin = checks.version_of(package)
    return Requirement(package, needed, ".".join(map(str, version or ())), origin)


def _notes(requires: tuple[Requirement, ...], fix: Fix | None) -> Iterator[Note]:
    """A sentence on each version that was read from the project and that something depends on."""
    for one in requires:
        if not one.version:
            continue
        here = f"{one.package} {_spoken(one.needed)}; the project has {one.version} ({one.origin})"
        if not one.of_fix:
            yield Note("note", f"holds for {here}")
        elif fix is not None and _has(one):
            what = "is safe for" if fix.applicability is Applicability.SAFE else "needs"
            yield Note("note", f"the fix {what} {here}")


def _with_caution(fix: Fix, requires: tuple[Requirement, ...]) -> Fix:
    """A fix that is unsafe for no other reason than a version, with a word about that."""
    needed = next((one for one in requires if one.of_fix), None)
    if needed is None or fix.caution or fix.applicability is not Applicability.UNSAFE:
        return fix
    wanted = f"needs {needed.package} {_spoken(needed.needed)}"
    if not needed.version:
        return replace(fix, caution=f"{wanted}; safe once `torch-version` says so")
    if _has(needed):
        return fix
    return replace(fix, caution=f"{wanted}; the project has {needed.version} ({needed.origin})")


def _has(one: Requirement) -> bool:
    return version_fits(tuple(map(int, one.version.split("."))), one.needed)


def _spoken(needed: str) -> str:
    """A version requirement in words: "2.4 or newer", "below 2.0"."""
    words = {">=": "{} or newer", "<=": "{} or older", "<": "below {}", ">": "above {}", "==": "{}"}
    parts = []
    for part in filter(None, (piece.strip() for piece in needed.split(","))):
        sign = next(sign for sign in words if part.startswith(sign))
        parts.append(words[sign].format(part.removeprefix(sign).strip()))
    return " and ".join(parts)
