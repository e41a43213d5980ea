"""Fixes that do nothing alone because another line keeps the same bytes alive.

Of two lines that hold one graph, fixing either frees nothing. The question is then put the other way
round: what do all fixes together free that all but this one do not?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memlint.finding import Finding
from memlint.runtime.parent.counterfactual import EVERYTHING, GROWTH, Combine, Variant, all_but, of_growth
from memlint.runtime.parent.verdicts.evidence import Evidence
from memlint.runtime.parent.verdicts.thresholds import DEFAULT
from memlint.runtime.parent.verdicts.verdict import JUDGES, wants_host
from memlint.session import Arm, Verdict, growth_by_unit

MOST = 8
"""Arms that one replay spends on leaving single fixes out."""

LINES_WATCHED = 50
JOINT = frozenset({"GROWTH", "GROWTH-HOST", "PEAK"})
RANKS = {"refuted": 0, "host_only": 1, "confirmed": 2}
OPEN = ("refuted", "host_only")

Judged = tuple[str, Verdict]
"""The name of the arm that answered, and the verdict."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is known once every fix was tried on its own: `fixed` holds the arms by their variants' names."""

    findings: Sequence[Finding]
    texts: Mapping[str, str]
    original: Arm
    again: Arm | None
    variants: Sequence[Variant]
    fixed: Mapping[str, Arm]

    def single(self, number: int) -> Variant | None:
        """The variant that has the fix of one finding, and no other."""
        return next((v for v in self.variants if number in v.findings), None)

    def alone(self, number: int) -> Arm | None:
        """The run with the fix of one finding, and no other; None where it has none, or was not tried."""
        variant = self.single(number)
        return self.fixed.get(variant.name) if variant is not None else None

    @property
    def noise(self) -> int:
        """Bytes by which the peaks of two runs of the same script differ."""
        return abs(self.original.top_bytes - self.again.top_bytes) if self.again is not None else 0


@dataclass(frozen=True, slots=True)
class _Joint:
    """What leaving one fix out of `whole` changes; None with the reason `why` where it was not measured.

    `places` are the lines whose tensors then grow, to tell which findings hold the same ones.
    """

    whole: str
    effect: Verdict | None
    places: frozenset[str] = frozenset()
    why: str = ""


def lines_of(finding: Finding) -> tuple[str, ...]:
    """ "path:line" for each line of a finding, as arms name them."""
    last = min(finding.span.end_line, finding.span.line + LINES_WATCHED)
    return tuple(f"{finding.path}:{n}" for n in range(finding.span.line, last + 1))


class Overlaps:
    """Reconsiders the verdicts on fixes without an effect of their own.

    `measure` runs a variant, `host` samples host memory of one (of the original for None); both answer
    None where that fails.
    """

    def __init__(
        self,
        case: Case,
        combine: Combine,
        measure: Callable[[Variant], Arm | None],
        host: Callable[[Variant | None], Arm | None],
    ) -> None:
        self._case = case
        self._combine = combine
        self._measure = measure
        self._host = host
        self._arms: dict[str, Arm | None] = dict(case.fixed)
        self._spent = 0

    def settle(self, judged: Sequence[Judged]) -> list[Judged]:
        """The verdicts, with those changed that the fixes together refute."""
        joints = {
            number: joint
            for number, (_, verdict) in enumerate(judged)
            if self._is_open(number, verdict) and (joint := self._joint(number, verdict)) is not None
        }
        shared = {n: j for n, j in joints.items() if j.effect and _more(j.effect, judged[n][1])}
        answered = bool(shared) or any(self._answers(n, verdict) for n, (_, verdict) in enumerate(judged))
        result = list(judged)
        for number, joint in joints.items():
            if number in shared:
                result[number] = (joint.whole, self._shared(number, joint, shared, judged))
            elif judged[number][1].status == "refuted" and (joint.effect is None or not answered):
                result[number] = (judged[number][0], self._undecided(judged[number][1], joint))
        return result

    def _is_open(self, number: int, verdict: Verdict) -> bool:
        claim = self._case.findings[number].claim
        variant = self._case.single(number)
        tried = variant is not None and variant.name in self._case.fixed
        unclear = verdict.status == "inconclusive" and claim is not None and claim.type == "GROWTH"
        return tried and claim is not None and claim.type in JOINT and (verdict.status in OPEN or unclear)

    def _answers(self, number: int, verdict: Verdict) -> bool:
        claim = self._case.findings[number].claim
        return claim is not None and claim.type in JOINT and verdict.status == "confirmed"

    def _joint(self, number: int, alone: Verdict) -> _Joint | None:
        """What leaving out a finding's fix shows; None where all fixes together do no more than it alone."""
        single = self._case.single(number)
        # What one fix alone frees of the host is known: then only tensors are asked for.
        sampled = alone.status == "refuted"
        effects = ((v, self._effect(number, None, v, sampled=sampled)) for v in self._wholes(number))
        whole, together = next((pair for pair in effects if _more(pair[1], alone)), (None, alone))
        if single is None or whole is None:
            return None
        if not self._may_hold_nodes(number, alone) and self._is_explained(number, whole, together):
            return None
        but = all_but(single, whole, self._case.findings, self._case.texts, self._combine)
        if but is None:
            return _Joint(whole.name, None, why="its fix cannot be left out of the others")
        if but.name not in self._arms:
            if self._spent == MOST:
                return _Joint(
                    whole.name, None, why=f"leaving out one fix was tried for {MOST} others already"
                )
            self._spent += 1
            self._arms[but.name] = self._measure(but)
        arm = self._arms[but.name]
        if arm is None:
            return _Joint(whole.name, None, why="the run with all fixes but this one failed")
        places = frozenset(f"{row.file}:{row.line}" for row in arm.growth)
        effect = self._effect(number, but, whole, sampled=sampled)
        if not _more(effect, alone) and self._growth_failed(number):
            return _Joint(
                whole.name, None, why="with the fixes of what grows, and no others, the script failed"
            )
        return _Joint(whole.name, effect, places)

    def _wholes(self, number: int) -> list[Variant]:
        claim = self._case.findings[number].claim
        grows = claim is not None and claim.type == "GROWTH"
        combined = [v for v in self._case.variants if not v.findings and v.name in self._case.fixed]
        growth = self._of_growth() if grows and combined else None
        return [*([growth] if growth else []), *sorted(combined, key=lambda v: v.name != EVERYTHING)]

    def _of_growth(self) -> Variant | None:
        """The program with all fixes of what grows, measured once; None where it is not one of its own."""
        variant = of_growth(self._case.variants, self._case.findings, self._case.texts, self._combine)
        if variant is not None and variant.name not in self._arms:
            self._arms[variant.name] = self._measure(variant)
        return variant if variant is not None and self._arms[variant.name] is not None else None

    def _growth_failed(self, number: int) -> bool:
        """Whether it is unknown what the fixes of a growth do together, as others may hide their effect."""
        claim, arm = self._case.findings[number].claim, self._arms.get(GROWTH)
        grows = claim is not None and claim.type == "GROWTH"
        return grows and arm is not None and arm.failure is not None and self._case.original.failure is None

    def _effect(self, number: int, before: Variant | None, after: Variant, *, sampled: bool) -> Verdict:
        """The verdict on a finding from the difference between two programs."""
        finding = self._case.findings[number]
        assert finding.claim is not None
        first = self._arms[before.name] if before is not None else self._case.original
        assert first is not None
        fixed, noise = self._arms[after.name], self._case.noise
        evidence = Evidence(first, None, fixed, lines_of(finding), noise=noise)
        decide = JUDGES[finding.claim.type]
        verdict = decide(finding, evidence, DEFAULT)
        if sampled and wants_host(finding, verdict, self._case.original):
            verdict = decide(
                finding, replace(evidence, host=(self._host(before), self._host(after))), DEFAULT
            )
        return verdict

    def _may_hold_nodes(self, number: int, alone: Verdict) -> bool:
        """Whether a line that frees no tensors may still keep autograd nodes alive, as another one does."""
        claim = self._case.findings[number].claim
        return claim is not None and claim.type == "GROWTH" and alone.status == "refuted"

    def _is_explained(self, number: int, whole: Variant, together: Verdict) -> bool:
        """Whether another finding's fix frees on its own all the tensors that the fixes free together."""
        claim = self._case.findings[number].claim
        if claim is None or claim.type == "GROWTH-HOST" or together.status != "confirmed":
            return False
        wide = max(DEFAULT.spread_factor * self._case.noise, DEFAULT.growth_per_step)
        if claim.type == "PEAK":
            # What is left for this fix would count for nothing.
            wide = max(wide, min(DEFAULT.peak_share * self._case.original.top_bytes, DEFAULT.peak_bytes))
        both = self._arms[whole.name]
        assert both is not None
        others = [
            variant
            for variant in self._case.variants
            if variant.findings
            and number not in variant.findings
            and not whole.without & {self._case.findings[n].fingerprint for n in variant.findings}
        ]
        arms = [self._case.fixed[v.name] for v in others if v.name in self._case.fixed]
        return any(
            abs(arm.top_bytes - both.top_bytes) <= wide
            and growth_by_unit(arm.growth) == growth_by_unit(both.growth)
            for arm in arms
        )

    def _shared(
        self, number: int, joint: _Joint, shared: Mapping[int, _Joint], judged: Sequence[Judged]
    ) -> Verdict:
        effect = joint.effect
        assert effect is not None
        others = [
            lines_of(self._case.findings[n])[0]
            for n, other in shared.items()
            if n != number and (not joint.places or not other.places or joint.places & other.places)
        ]
        kind = self._case.findings[number].claim
        others = others or [
            lines_of(finding)[0]
            for finding, (_, verdict) in zip(self._case.findings, judged, strict=True)
            if verdict.status == "confirmed" and finding.claim and kind and finding.claim.type == kind.type
        ]
        alone = (
            f"the bytes are shared with {', '.join(others)}, so that no single fix frees them"
            if others
            else "on its own it changes nothing, as what other fixes free is in its way"
        )
        reason = f"{alone}; once the others are fixed, {effect.reason.removeprefix('on its own ')}"
        peak = self._case.original.top_bytes
        measured = effect.measured_bytes
        share = round(measured / peak, 6) if measured is not None and peak else None
        return replace(effect, reason=reason, share_of_peak=share)

    def _undecided(self, alone: Verdict, joint: _Joint) -> Verdict:
        together = "all fixes together save memory"
        part = f"how much of it is due to this one is not known: {joint.why}"
        part = part if joint.why else "they save as much without this one: what it adds does not show here"
        reason = f"{alone.reason}; {together}, but {part}"
        return replace(alone, status="inconclusive", reason=reason)


def _more(new: Verdict, old: Verdict) -> bool:
    return RANKS.get(new.status, -1) > RANKS.get(old.status, 0)
