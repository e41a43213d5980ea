"""The examples of the rules: those of the rule files, and the files of tests/rules, whose README says how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from memlint import catalogue
from memlint.catalogue import Rule
from memlint.examples import Example

FOLDER = Path(__file__).parent / "rules"
FIXED = {"safe": ".fixed.py", "unsafe": ".fixed_unsafe.py"}
"""How the file ends that the fixes of an example make, by the fixes that are applied."""


@cache
def rules() -> tuple[Rule, ...]:
    """The catalogue, each rule with all of its examples: those of its file, then those of its folder."""
    return tuple(
        replace(rule, bad=(*rule.bad, *_read(rule, "bad")), good=(*rule.good, *_read(rule, "good")))
        for rule in catalogue.load()
    )


def _read(rule: Rule, kind: str) -> Iterator[Example]:
    for path in sorted((FOLDER / rule.code).glob(f"{kind}_*.py")):
        if path.name.endswith(tuple(FIXED.values())):
            continue
        title, code = _parts(path)
        fixed, fix = None, "safe"
        for applied, ending in FIXED.items():
            result = path.with_name(path.stem + ending)
            if result.exists():
                (_, fixed), fix = _parts(result), applied
        yield Example(code, title, fixed, fix)


def _parts(path: Path) -> tuple[str, str]:
    """The title of an example in one line, and its script.

    The comment that holds the title is cut off: some rules look for words in comments too.
    """
    comment, _, code = path.read_text(encoding="utf-8").partition("\n\n")
    return " ".join(line.removeprefix("# ") for line in comment.splitlines()), code
