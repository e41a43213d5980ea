"""The table of published runs matches its data, and every run names where its figures were read."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.published import table
from benchmarks.published.rows import Published, Run, Simulated, load

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "published-peaks.md"
BOOK = load()
FOUND = table.read(PAGE.with_suffix(".json"))


@pytest.mark.parametrize("run", BOOK.runs, ids=lambda run: run.name)
def test_a_run_has_a_source_that_can_be_looked_up_and_a_figure_or_a_failure(run: Run) -> None:
    source = BOOK.sources[run.source]
    assert source.url.startswith("https://")
    assert source.title
    assert source.configuration
    assert source.commit
    assert source.path
    figures = (run.published.allocated, run.published.reserved, run.published.used)
    assert any(figures) or run.source == "timm" or not run.published.fits
    assert all("==" in package for package in BOOK.environments[run.packages])


def test_the_page_and_the_summaries_are_what_the_data_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == table.markdown(BOOK, FOUND)
    for path in (ROOT / "README.md", ROOT / "docs" / "simulation.md"):
        _, mark, rest = path.read_text(encoding="utf-8").partition(table.BEGIN)
        assert mark
        assert rest.partition(table.END)[0] == "\n" + table.summary(BOOK, FOUND)


def test_enough_runs_from_enough_sources_were_simulated_and_some_did_not_fit() -> None:
    done = [run for run in BOOK.runs if run.name in FOUND.rows]
    assert set(FOUND.rows) <= {run.name for run in BOOK.runs}
    assert len(done) >= 30
    assert len({run.source for run in done}) >= 6
    assert sum(not run.published.fits for run in done) >= 3


def test_what_is_off_is_counted_with_the_context_only_where_the_source_counted_it() -> None:
    run = BOOK.runs[0]
    simulated = Simulated(0, 900, fits=True, context=100, torch="2")
    counted = Run(**{**_fields(run), "published": Published(used=1000)})
    bare = Run(**{**_fields(run), "published": Published(reserved=900)})
    assert table.whole(counted, simulated) == (1000, 1000)
    assert table.whole(bare, simulated) == (900, 900)


def _fields(run: Run) -> dict[str, object]:
    return {name: getattr(run, name) for name in Run.__slots__}
