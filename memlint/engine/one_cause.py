"""Findings that have one cause are one finding: that of the cause, with the others as secondary places.

Which rules may speak of one cause is data: `effect-of` in a rule's TOML. Whether two of their findings do is
no guess from the lines: a detector names the nodes that its match comes from (`Match.causes`), and an effect
belongs to a finding that has all of them, so that its fix leaves nothing of the effect. A rule also meets
itself: the line that it reports in a function is the cause of what it reports at a call of that function, and
a rule that is an effect of itself names the same causes for several places to make one finding of them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from memlint import packs
from memlint.finding import LED_TO_BY, FileReport, Finding, Severity, each

_ORDER = tuple(Severity)


def joined(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each effect within that of its cause, which becomes as severe as the worst of them."""
    return [_one([findings[number] for number in group]) for group in _groups(findings, _causes(findings))]


def across(reports: Sequence[FileReport]) -> list[FileReport]:
    """The reports of one run, with the findings of several files joined where these have one cause."""
    findings = [finding for report in reports for finding in report.findings]
    causes = _causes(findings, of_one_file=False)
    if not causes:
        return list(reports)
    owner = [at for at, report in enumerate(reports) for _ in report.findings]
    kept: dict[int, list[Finding]] = defaultdict(list)
    for group in _groups(findings, causes):
        kept[owner[group[0]]].append(_one([findings[number] for number in group]))
    return [replace(report, findings=tuple(kept[at])) for at, report in enumerate(reports)]


def _one(group: Sequence[Finding]) -> Finding:
    cause, *effects = group
    if not effects:
        return cause
    others = sorted((*cause.secondary, *each(effects)), key=lambda f: f.sort_key)
    severity = min((f.severity for f in group), key=_ORDER.index)
    return replace(cause, severity=severity, secondary=tuple(replace(f, secondary=()) for f in others))


def _groups(findings: Sequence[Finding], causes: dict[int, int]) -> list[list[int]]:
    """The numbers of the findings, those of one cause together and its own finding first, in their order."""
    groups: dict[int, list[int]] = {n: [n] for n in range(len(findings)) if n not in causes}
    for number in causes:
        groups[_root(number, causes)].append(number)
    return list(groups.values())


def _root(number: int, causes: dict[int, int]) -> int:
    while number in causes:
        number = causes[number]
    return number


def _causes(findings: Sequence[Finding], *, of_one_file: bool = True) -> dict[int, int]:
    """For the number of each effect that of the finding that reports its cause; without cycles.

    Those of one file were looked at in its own check, before its report was kept.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    for number, finding in enumerate(findings):
        for place in {_place(cause) for member in each([finding]) for cause in member.causes}:
            holders[place].append(number)
    causes: dict[int, int] = {}

    def rank(number: int) -> tuple[int, int]:
        return _ORDER.index(findings[number].severity), number

    for number, effect in enumerate(findings):
        near = dict.fromkeys(n for cause in effect.causes for n in holders[_place(cause)] if n != number)
        if not of_one_file:
            near = {n: None for n in near if findings[n].path != effect.path}
        own = rank(number)
        found = next((n for n in near if _is_cause(findings[n], effect, is_first=rank(n) < own)), None)
        if found is not None and _root(found, causes) != number:
            causes[number] = found
    return causes


def _is_cause(finding: Finding, effect: Finding, *, is_first: bool) -> bool:
    """Whether a finding, or one that it is reported for, reports what another one comes from."""
    return any(
        _has_causes(member, effect, is_first=is_first)
        for member in each([finding])
        if _comes_from(effect, member)
    )


def _comes_from(effect: Finding, finding: Finding) -> bool:
    """Whether all causes of one finding are causes of the other.

    What is reported at its own line is wrong there whoever calls, so the calls that lead to it say nothing.
    """
    everywhere = finding.code == effect.code and _stands_there(finding) and not _stands_there(effect)
    return all(
        any(_leads_to(own, cause) or (everywhere and _place(own) == _place(cause)) for own in finding.causes)
        for cause in effect.causes
    )


def _leads_to(cause: str, other: str) -> bool:
    """Whether two causes are the same, or the second is the first, come to by certain calls."""
    return other == cause or other.startswith(f"{cause}{LED_TO_BY}")


def _place(cause: str) -> str:
    return cause.partition(LED_TO_BY)[0]


def _has_causes(cause: Finding, effect: Finding, *, is_first: bool) -> bool:
    """Of two findings with shared causes, whether the rules, or else the places, say that they are one."""
    rule = packs.rule_of(effect)
    declared = rule is not None and cause.code in rule.effect_of
    if cause.code != effect.code:
        return declared
    if _stands_there(cause) != _stands_there(effect):
        return _stands_there(cause)
    if set(cause.causes) != set(effect.causes):
        return declared and set(cause.causes) > set(effect.causes)
    # Of two calls that lead to one place of a third file, neither can be fixed where it is reported.
    called = all(f.fix is None and not _is_at_home(f) for f in (cause, effect))
    return is_first and ((declared and _is_at_home(effect)) or called)


def _stands_there(finding: Finding) -> bool:
    """Whether a finding is reported at one of its causes, and not at something that leads there."""
    if finding.cell is not None or not _is_at_home(finding):
        return False
    span = finding.span
    places = [_place(cause).rsplit(":", 2) for cause in finding.causes]
    points = [(int(line), int(column)) for _, line, column in places]
    return any((span.line, span.column) <= point < (span.end_line, span.end_column) for point in points)


def _is_at_home(finding: Finding) -> bool:
    """Whether the causes of a finding are in its own file."""
    path = os.path.abspath(finding.path)
    return any(_place(cause).rsplit(":", 2)[0] == path for cause in finding.causes)
