"""Which changes `memlint fit` makes together: the cheapest, or, to be written, fixes alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memlint.runtime.cards import of_size
from memlint.runtime.parent.fit import remedies
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.remedies import Asked
from memlint.session import OnCard
from memlint.session.fit import BREAKS, FITS

GIB = 1 << 30
NEEDS = 14
"""GiB that the script needs of 10."""

SAVES = {"fix-1": 3, "fix-2": 2, "accumulate": 5}
"""GiB that a change saves alone; together they add up."""

OVERLAY = (("train.py", "new"),)


def on_card(needs: int) -> OnCard:
    verdict = FITS if needs <= 10 else BREAKS
    return OnCard("", "a GPU", (9, 0), 10 * GIB, verdict, *[needs * GIB] * 3)


def worked(name: str, rank: int, tensors: int = 0) -> Any:
    """A change; one with `tensors` lowers their peak by so many GiB, and saves nothing alone."""
    by_fix = name.startswith("fix")
    candidate: Any = SimpleNamespace(
        change=Change(name, name), kind=name, rank=rank, goes_with=lambda other: True,
        variant=SimpleNamespace(overlay=OVERLAY) if by_fix else None,
        is_written=by_fix,
    )  # fmt: skip
    saved = 0 if tensors else SAVES[name]
    there = on_card(NEEDS - saved)
    remedy = SimpleNamespace(
        arm=name, saved=saved * GIB, needs=there.needs, verdict=there.verdict, tensors=tensors * GIB
    )
    return remedies._Worked(remedy, candidate, there.verdict == FITS, saves=not tensors)  # type: ignore[arg-type]


FILES: Any = SimpleNamespace(
    changed=lambda rows: OVERLAY if any(row.variant is not None for row in rows) else (),
    placed=lambda overlay: overlay,
    texts={"train.py": "old"},
)


@pytest.mark.parametrize(
    ("by_fixes", "names", "arms"),
    [
        (False, SAVES, ("accumulate",)),
        (True, SAVES, ("fix-1", "fix-2")),
        pytest.param(True, ["fix-2", "accumulate"], ("accumulate",), id="the fixes do not suffice"),
    ],
)
def test_fixes_that_suffice_are_written_before_cheaper_changes(
    by_fixes: bool, names: list[str], arms: tuple[str, ...]
) -> None:
    rows = [worked(name, 2 if name == "accumulate" else 1) for name in names]
    asked = Asked(SimpleNamespace(), on_card(NEEDS), of_size(10 * GIB), by_fixes=by_fixes)  # type: ignore[arg-type]
    every = SimpleNamespace(name="every")
    made, overlay = remedies._cheapest(
        asked, rows, FILES, lambda change: (every, on_card(NEEDS - sum(SAVES[name] for name in names)))
    )  # type: ignore[arg-type]
    assert made is not None
    assert (made.arms, made.verdict) == (arms, FITS)
    assert overlay == (() if arms == ("accumulate",) else OVERLAY)


@pytest.mark.parametrize(
    ("together", "arms", "verdict"),
    [
        (9, ("fix-2", "checkpoint"), FITS),
        (12, ("fix-2",), BREAKS),
    ],
    ids=["it helps there", "it does not help there either"],
)
def test_what_lowers_the_peak_of_tensors_only_is_tried_with_others(
    together: int, arms: tuple[str, ...], verdict: str
) -> None:
    rows = [worked("fix-2", 1), worked("checkpoint", 3, tensors=3)]
    asked = Asked(SimpleNamespace(), on_card(NEEDS), of_size(10 * GIB))  # type: ignore[arg-type]
    every = SimpleNamespace(name="every")
    made, _ = remedies._cheapest(asked, rows, FILES, lambda change: (every, on_card(together)))  # type: ignore[arg-type]
    assert made is not None
    assert (made.arms, made.verdict) == (arms, verdict)


def test_what_saves_nothing_alone_is_nothing_alone() -> None:
    asked = Asked(SimpleNamespace(), on_card(NEEDS), of_size(10 * GIB))  # type: ignore[arg-type]
    rows = [worked("checkpoint", 3, tensors=3)]
    assert remedies._cheapest(asked, rows, FILES, lambda change: "not asked") == (None, ())
