"""Applying fixes to a text until nothing is left to fix, and proving that the result may be written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from memlint import packs
from memlint.edit.verify import comments, is_pragma, still_compiles
from memlint.finding import Applicability, Edit, Finding, Fix, Severity, each
from memlint.project.gate import is_notebook
from memlint.records import dataclass
from memlint.source.text import apply_edits

PASSES = 10
"""How often a text is edited and analysed again before memlint gives up on it."""

Check = Callable[[str], Sequence[Finding]]
Place = Callable[[Finding, str], str]

_UNUSED_SUPPRESSION = "MEM002"
_SUPPRESSION = re.compile(r"memlint:|noqa", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FixResult:
    """A text after fixing.

    `refused` says in one line why nothing was changed although there were fixes; `text` is then the
    original. `left_out` are findings whose own fix did not pass the checks while others did, `reasons` says
    of each why.
    """

    text: str
    applied: tuple[Finding, ...]
    refused: str
    left_out: tuple[Finding, ...] = ()
    reasons: tuple[str, ...] = ()


def fix_text(text: str, path: str, check: Check, *, unsafe: bool, place: Place | None = None) -> FixResult:
    """Apply the fixes of a file's findings.

    `check` gives the findings of a text, `place` says where one of them is, for messages. The result
    compiles, has every comment of the original, has no finding (but advice) that the original did not
    have, and would not be changed by another run;
    where a fix fails this it is left out, and where that does not help nothing is changed.
    """
    place = place or (lambda finding, _: f"{path}:{finding.span.line}")
    result = _fix_once(text, path, check, unsafe, place)
    # What failed beside other fixes may pass once they are in the text.
    while result.left_out:
        more = _fix_once(result.text, path, check, unsafe, place)
        if not more.applied:
            break
        result = replace(more, applied=result.applied + more.applied)
    return result


def _fix_once(text: str, path: str, check: Check, unsafe: bool, place: Place) -> FixResult:
    """One round of `fix_text`: all fixes together, and where that fails those that pass on their own."""
    run = _Run(text, path, check, check(text), unsafe, place)
    result = run.settle(lambda finding: True)
    if not result.refused:
        return result
    faulty = run.faulty([finding for finding in each(run.before) if _fix_for(finding, unsafe)])
    keys = {_key(finding) for finding, _ in faulty}
    # Two fixes can each be right and wrong together, as when each takes one of two lines of a block.
    for one_by_one in (False, True):
        retried = run.settle(lambda finding: _key(finding) not in keys, one_by_one=one_by_one)
        if retried.applied:
            left_out, reasons = [finding for finding, _ in faulty], [reason for _, reason in faulty]
            return replace(retried, left_out=tuple(left_out), reasons=tuple(reasons))
    return result


def unified_diff(path: str, old: str, new: str) -> str:
    """The change of one file as a patch with git's `a/` and `b/` names; "" when nothing changed."""
    import difflib

    name = path.replace("\\", "/").lstrip("/")
    lines = difflib.unified_diff(_lines(old), _lines(new), _header(f"a/{name}"), _header(f"b/{name}"))
    marked = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return "".join(marked)


def _header(name: str) -> str:
    """A name as git and patch write it: a tab ends one with spaces, control characters are quoted."""
    if not name.isprintable() or '"' in name:
        return '"' + "".join(map(_escaped, name)) + '"'
    return f"{name}\t" if " " in name else name


def _escaped(letter: str) -> str:
    if letter.isprintable() and letter != '"':
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True)
class _Run:
    """One file with its findings before anything was changed."""

    text: str
    path: str
    check: Check
    before: Sequence[Finding]
    unsafe: bool
    place: Place

    def settle(self, admitted: Callable[[Finding], bool], *, one_by_one: bool = False) -> FixResult:
        """Fix the admitted findings, analyse again, and go on until there is nothing left to apply."""
        text, findings = self.text, self.before
        applied: list[Finding] = []
        most = PASSES + (len(findings) if one_by_one else 0)
        for count in range(most + 1):
            chosen, edits = _choose(text, _offering(findings, admitted, self.unsafe), self.unsafe, one_by_one)
            if not chosen:
                edits = self._orphans(text) if applied else []
            if not edits:
                return self._judged(text, applied, findings)
            if count == most:
                break
            earlier, text, previous = text, apply_edits(text, edits), findings
            findings = self.check(text)
            stuck = _still_there(chosen, previous, findings)
            if stuck is not None:
                place = self.place(stuck, earlier)
                return self._refused(f"{place}: {stuck.code} is still reported after its fix")
            applied += chosen
        return self._refused(f"{self.path}: internal error: the fixes keep changing the file")

    def _orphans(self, text: str) -> list[Edit]:
        """The edits for imports that the fixes left unused; in a notebook a cell may want them again."""
        if is_notebook(self.path):
            return []
        from memlint.edit.orphans import orphans

        return orphans(self.text, text, self.path)

    def faulty(self, findings: Sequence[Finding]) -> list[tuple[Finding, str]]:
        """The findings whose fix does not pass the checks on its own, found by halving, with the reason."""
        keys = {_key(finding) for finding in findings}
        reason = self.settle(lambda finding: _key(finding) in keys).refused if findings else ""
        if not reason:
            return []
        if len(findings) == 1:
            return [(findings[0], reason.removeprefix(f"{self.path}: "))]
        middle = len(findings) // 2
        return self.faulty(findings[:middle]) + self.faulty(findings[middle:])

    def _refused(self, reason: str) -> FixResult:
        return FixResult(self.text, (), " ".join(reason.split()))

    def _judged(self, text: str, applied: Sequence[Finding], findings: Sequence[Finding]) -> FixResult:
        if applied and not still_compiles(text, self.text):
            return self._refused(f"{self.path}: the fixed text would not compile")
        lost = comments(self.text) - comments(text)
        if any(finding.code == _UNUSED_SUPPRESSION for finding in applied):
            lost = Counter({comment: n for comment, n in lost.items() if not _SUPPRESSION.search(comment)})
        for comment in (c for c in lost if not is_pragma(c)):
            return self._refused(f"{self.path}: the fix would lose the comment `{comment}`")
        for new in _appeared(self.before, findings, applied):
            return self._refused(f"{self.path}: the fix would bring up {new.code}: {new.message}")
        return FixResult(text, tuple(applied), "")


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.fingerprint


def _wording(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.message


def _fix_for(finding: Finding, unsafe: bool) -> Fix | None:
    """The first of a finding's fixes that may be applied.

    Who allows unsafe fixes gets the unsafe alternative to a safe one: it is what most people write,
    such as `.item()` for `.detach()`.
    """
    allowed = {Applicability.SAFE, Applicability.REPAIR} | ({Applicability.UNSAFE} if unsafe else set())
    fixes = (finding.fix, *finding.alternatives)
    offered = [fix for fix in fixes if fix and fix.edits and fix.applicability in allowed]
    if offered and offered[0].applicability is Applicability.SAFE:
        offered.sort(key=lambda fix: fix.applicability is not Applicability.UNSAFE)
    return offered[0] if offered else None


def _offering(
    findings: Sequence[Finding], admitted: Callable[[Finding], bool], unsafe: bool
) -> list[Finding]:
    """The admitted findings with a fix; where that of the cause cannot be applied, those of its effects. Of
    the calls that lead to one place of another file each has its own."""
    offering: list[Finding] = []
    for finding in findings:
        members = [f for f in each([finding]) if admitted(f) and _fix_for(f, unsafe) is not None]
        if finding in members[:1]:
            calls = not finding.is_at_home
            members[1:] = [f for f in members[1:] if calls and f.code == finding.code and not f.is_at_home]
        offering += members
    return offering


def _choose(
    text: str, findings: Sequence[Finding], unsafe: bool, only_one: bool
) -> tuple[list[Finding], list[Edit]]:
    """The findings, in file order, whose fixes do not get in each other's way, and their edits."""
    chosen: list[Finding] = []
    taken: list[Fix] = []
    for finding in sorted(findings, key=lambda f: f.sort_key):
        fix = _fix_for(finding, unsafe)
        if fix is None or any(_conflict(fix, other) for other in taken):
            continue
        if only_one and chosen:
            break
        chosen.append(finding)
        taken.append(fix)
    edits = list(dict.fromkeys(edit for fix in taken for edit in fix.edits))
    return (chosen, edits) if apply_edits(text, edits) != text else ([], [])


def _conflict(one: Fix, other: Fix) -> bool:
    """Whether two fixes cannot be applied at once; what stands in both is done for both, if it is all."""
    if one.edits == other.edits:
        return False
    return any(_collide(new, old) for new in one.edits for old in other.edits)


def _collide(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap; an insertion also where it touches, for there the order would matter.

    The same insertion serves two fixes (an import). What two fixes take away, both may put elsewhere.
    """
    first, last = sorted((one.span, other.span))
    begin, end = (last.line, last.column), (first.end_line, first.end_column)
    inserts = any((s.line, s.column) == (s.end_line, s.end_column) for s in (first, last))
    if one == other and inserts:
        return False
    return begin <= end if inserts else begin < end


def _still_there(
    fixed: Sequence[Finding], before: Sequence[Finding], after: Sequence[Finding]
) -> Finding | None:
    """A finding whose fix did not make it go away.

    The fingerprint alone does not tell: of two equal lines the second takes over that of the first.
    """
    keys = {_key(finding) for finding in each(after)}
    expected = Counter(map(_wording, each(before))) - Counter(map(_wording, fixed))
    present = Counter(map(_wording, each(after)))
    for finding in fixed:
        if _key(finding) in keys and present[_wording(finding)] > expected[_wording(finding)]:
            return finding
    return None


def _appeared(
    before: Sequence[Finding], after: Sequence[Finding], applied: Sequence[Finding]
) -> list[Finding]:
    """The findings that were not there before, by fingerprint or else by their words.

    Advice is left out: what could be better still is no reason to keep what is wrong. So is what had only
    been silent beside one of the findings that were fixed, or that went with them.
    """
    earlier, later = list(each(before)), list(each(after))
    unknown, gone = _minus(later, earlier, _key), _minus(earlier, later, _key)
    fixed = {finding.code for finding in (*applied, *gone)}
    new = _minus(unknown, gone, _wording)
    more_severe = [finding for finding in new if finding.severity is not Severity.ADVICE]
    return [finding for finding in more_severe if not _yields_to(finding) & fixed]


def _yields_to(finding: Finding) -> frozenset[str]:
    rule = packs.rule_of(finding)
    return rule.yields_to if rule is not None else frozenset()


def _minus(
    findings: Sequence[Finding], others: Sequence[Finding], by: Callable[[Finding], tuple[str, str]]
) -> list[Finding]:
    """The findings for which there is no counterpart among the others, one for one."""
    left = Counter(map(by, others))
    unmatched = []
    for finding in findings:
        if left[by(finding)]:
            left[by(finding)] -= 1
        else:
            unmatched.append(finding)
    return unmatched


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
