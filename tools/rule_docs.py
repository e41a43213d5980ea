"""Writes `docs/rules/`, `rules/README.md` and the rules of the site from the rule files.

With `--check`, only compares them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from memlint import catalogue
from memlint.catalogue import Rule
from memlint.report.rule.markdown import families, render_index, render_page

ROOT = Path(__file__).parent.parent
PAGES = Path("docs", "rules")
INDEX = Path("rules", "README.md")
SITE = Path("mkdocs.yml")
_NAV = re.compile(r"^( *# rules: [^\n]*\n).*?^(?= *# end of rules$)", re.MULTILINE | re.DOTALL)


def wanted() -> dict[Path, str]:
    """Every generated file, relative to the checkout, with the text that it ought to have."""
    rules = catalogue.load()
    pages = {PAGES / f"{rule.code}.md": render_page(rule) for rule in rules}
    indexes = {
        INDEX: render_index(rules, f"../{PAGES.as_posix()}/"),
        PAGES / "index.md": render_index(rules, ""),
    }
    site = (ROOT / SITE).read_text(encoding="utf-8")
    return {**pages, **indexes, SITE: _NAV.sub(lambda nav: nav[1] + _nav(rules), site)}


def _nav(rules: Sequence[Rule]) -> str:
    """The rules in the navigation of the site, family by family."""
    return "".join(f"{' ' * 6}{line}\n" for line in _entries(rules))


def _entries(rules: Sequence[Rule]) -> Iterator[str]:
    for family, members in families(rules):
        yield f"- {family}:"
        yield from (f"    - {rule.code} {rule.name}: {PAGES.name}/{rule.code}.md" for rule in members)


def stale(root: Path) -> list[Path]:
    """The files that are missing, differ from what the rules say, or belong to no rule any more."""
    texts = wanted()
    differing = [path for path, text in texts.items() if _read(root / path) != text]
    return sorted([*differing, *_orphans(root, texts)])


def write(root: Path) -> list[Path]:
    """Bring all files up to date; gives those that were changed, made or removed."""
    texts = wanted()
    changed = stale(root)
    for path in changed:
        if path in texts:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(texts[path], encoding="utf-8", newline="\n")
        else:
            (root / path).unlink()
    return changed


def _orphans(root: Path, texts: dict[Path, str]) -> list[Path]:
    there = (path.relative_to(root) for path in (root / PAGES).glob("*.md"))
    return [path for path in there if path not in texts]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """The command line: 1 when `--check` found stale files, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file is stale")
    check = parser.parse_args(argv).check
    changed = stale(root) if check else write(root)
    for path in changed:
        print(f"{'stale' if check else 'wrote'}: {path.as_posix()}")
    if check and changed:
        print("run `python -m tools.rule_docs` and commit the result", file=sys.stderr)
    return int(check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
