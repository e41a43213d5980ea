"""Findings with secondary places: judged once, by what of all that they predict weighs most."""

from __future__ import annotations

from dataclasses import replace

from memlint.finding import Finding


def weightiest(finding: Finding) -> Finding:
    """The finding with the claim and the place by which it is judged, its fix and fingerprint kept.

    A graph that is kept in every iteration weighs more than one that is let go: where a secondary place of
    the same file predicts growth, it is that growth which is looked for.
    """
    if finding.claim is not None and finding.claim.type == "GROWTH":
        return finding
    near = (other for other in finding.secondary if other.path == finding.path)
    grows = next((f for f in near if f.claim is not None and f.claim.type == "GROWTH"), None)
    if grows is None:
        return finding
    fixing = finding if finding.fix is not None else grows
    return replace(
        grows,
        fingerprint=finding.fingerprint,
        fix=fixing.fix,
        alternatives=fixing.alternatives,
        secondary=tuple(other for other in finding.secondary if other is not grows),
    )
