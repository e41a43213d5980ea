"""Arms, findings and evidence made by hand, for tests of what is concluded from them."""

from __future__ import annotations

from dataclasses import replace

from memlint import catalogue
from memlint.finding import Claim, Finding, Severity, Span
from memlint.runtime.parent.verdicts.evidence import Evidence
from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import Arm, Growth, Peak, Step, Verdict

MIB = 1 << 20


def arm(peak: int = 100 * MIB, grows: int = 0, **changes: object) -> Arm:
    base = Arm("original", "", "tracker", "cpu", "the script ended", 1.0, Peak(peak, "backward", 3, 10))
    rows = (Growth("a.py", 5, "optimizer step", grows, -(-grows // 512) * 512, 8, 8),) if grows else ()
    values = {"growth": rows, "steps": (step(),) * 12, "reached": ("a.py:7",), **changes}
    return replace(base, **values)  # type: ignore[arg-type]


def step(seconds: float = 0.1, host: int = -1, nodes: int = 10, workers: int = -1) -> Step:
    return Step(seconds, 0, 0, host, workers, nodes, 0)


def claim_of(code: str, kind: str, formula: str = "bytes", **changes: object) -> Claim:
    """A claim of that type with the experiment that the rule's own claim names, if there is such a rule."""
    named = next((rule.variants["default"].claim for rule in catalogue.load() if rule.code == code), None)
    base = named if named is not None and named.type == kind else Claim(kind, formula)
    return replace(base, formula=formula, **changes)  # type: ignore[arg-type]


def finding(claim: str, code: str = "MEM999", formula: str = "bytes", **changes: object) -> Finding:
    said = claim_of(code, claim, formula, **changes)
    return Finding(code, "rule", Severity.WARNING, "m", "a.py", Span(7, 1, 7, 5), "f", claim=said)


def evidence(original: Arm, fixed: Arm | None = None, again: Arm | None = None) -> Evidence:
    return Evidence(original, again or original, fixed, ("a.py:7",))


def verdict(claim: str, original: Arm, fixed: Arm | None = None, **changes: object) -> Verdict:
    return judge(finding(claim), replace(evidence(original, fixed), **changes))  # type: ignore[arg-type]


def hosts(per_step: int, nodes: int = 10) -> Arm:
    return arm(steps=tuple(step(host=1000 + i * per_step, nodes=nodes) for i in range(20)))
