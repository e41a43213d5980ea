"""Findings that have one cause are one finding: that of the cause, with the others as secondary places.

Which rules may speak of one cause is data: `effect-of` in a rule's TOML. Whether two of their findings do is
no guess from the lines: a detector names the nodes that its match comes from (`Match.causes`), and an effect
belongs to a finding that has all of them, so that its fix leaves nothing of the effect. A rule also meets
itself: the line that it reports in a function is the cause of what it reports at a call of that function, and
a rule that is an effect of itself names the same causes for several places to make one finding of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

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
    sets: dict[frozenset[str], frozenset[str]] = {}
    members = [[_Member(member, sets) for member in each([finding])] for finding in findings]
    holders: dict[str, dict[int, None]] = defaultdict(dict)
    for number, group in enumerate(members):
        for place in {place for member in group for place in member.places}:
            holders[place][number] = None
    causes: dict[int, int] = {}

    def rank(number: int) -> tuple[int, int]:
        return _ORDER.index(findings[number].severity), number

    for number, effect in enumerate(findings):
        # What reports the cause of a finding holds all of its causes: those of the rarest one are looked at.
        near = min((holders[_place(cause)] for cause in effect.causes), key=len, default={})
        if not of_one_file:
            near = {n: None for n in near if findings[n].path != effect.path}
        own, comes = rank(number), members[number][0]
        found = next(
            (n for n in near if n != number and _is_cause(members[n], comes, is_first=rank(n) < own)), None
        )
        if found is not None and _root(found, causes) != number:
            causes[number] = found
    return causes


class _Member:
    """A finding, or one that another is reported for, with what is asked of it again and again."""

    def __init__(self, finding: Finding, sets: dict[frozenset[str], frozenset[str]]) -> None:
        self.finding, self.code = finding, finding.code
        causes = frozenset(finding.causes)
        # One object for all that have the same causes: to compare sets takes time for each element.
        self.causes = sets.setdefault(causes, causes)
        self.places = frozenset(map(_place, finding.causes))

    @cached_property
    def effect_of(self) -> frozenset[str]:
        """The codes of the rules that may report the cause of the finding."""
        rule = packs.rule_of(self.finding)
        return rule.effect_of if rule is not None else frozenset()

    @cached_property
    def is_at_home(self) -> bool:
        """Whether the causes of the finding are in its own file."""
        return self.finding.is_at_home

    @cached_property
    def stands_there(self) -> bool:
        """Whether the finding is reported at one of its causes, and not at something that leads there."""
        if self.finding.cell is not None or not self.is_at_home:
            return False
        span = self.finding.span
        places = [place.rsplit(":", 2) for place in self.places]
        points = [(int(line), int(column)) for _, line, column in places]
        return any((span.line, span.column) <= point < (span.end_line, span.end_column) for point in points)


def _is_cause(members: Sequence[_Member], effect: _Member, *, is_first: bool) -> bool:
    """Whether a finding, or one that it is reported for, reports what another one comes from."""
    return any(
        _has_causes(member, effect, is_first=is_first) and _comes_from(effect, member) for member in members
    )


def _comes_from(effect: _Member, finding: _Member) -> bool:
    """Whether all causes of one finding are causes of the other.

    What is reported at its own line is wrong there whoever calls, so the calls that lead to it say nothing.
    """
    if finding.code == effect.code and _lead_to_one_place(finding, effect):
        return True
    everywhere = finding.code == effect.code and finding.stands_there and not effect.stands_there
    return all(
        not finding.causes.isdisjoint(_beginnings(cause)) or (everywhere and _place(cause) in finding.places)
        for cause in effect.causes
    )


def _beginnings(cause: str) -> Iterator[str]:
    """A cause, and the same come to by fewer of the calls that lead to it."""
    yield cause
    while LED_TO_BY in cause:
        cause = cause.rpartition(LED_TO_BY)[0]
        yield cause


def _place(cause: str) -> str:
    return cause.partition(LED_TO_BY)[0]


def _has_causes(cause: _Member, effect: _Member, *, is_first: bool) -> bool:
    """Of two findings with shared causes, whether the rules, or else the places, say that they are one."""
    declared = cause.code in effect.effect_of
    if cause.code != effect.code:
        return declared
    if cause.stands_there != effect.stands_there:
        return cause.stands_there
    if is_first and _lead_to_one_place(cause, effect):
        return True
    if cause.causes is not effect.causes:
        return declared and cause.causes > effect.causes
    return is_first and declared and effect.is_at_home


def _lead_to_one_place(cause: _Member, effect: _Member) -> bool:
    """Whether two findings of one rule are calls that lead to the same code of another file: what is to be
    changed is there, though each call may have a fix of its own."""
    return not (cause.is_at_home or effect.is_at_home) and cause.places == effect.places
