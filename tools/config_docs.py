"""Writes `docs/configuration.md` from the table of settings; with `--check`, only compares it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from memlint.config import KEYS
from memlint.config.files import NAMES

ROOT = Path(__file__).parent.parent
PAGE = Path("docs", "configuration.md")

_HEAD = """\
# Configuration

<!-- Made from `memlint/config/keys.py` by `python -m tools.config_docs`; edits here are lost. -->

Settings are read from the nearest file, from each checked file upwards: {names}; of several in one
folder the first counts. In `pyproject.toml` they stand in the table `[tool.memlint]`, in the other two at the
top. `--config PATH` takes another file in their place, `--config 'KEY = VALUE'` lays one setting on top,
`--isolated` reads none. `MEMLINT_OUTPUT_FORMAT` wins over the files, and options of the command line
over that. A later `select` starts again and drops the earlier `ignore`; what is said to `ignore` and
`extend-select` adds up.

`memlint config --file train.py` shows what is in force for a file, and where it was written.
`memlint config --schema` prints the JSON schema: save it, and start `memlint.toml` with
`#:schema ./memlint.schema.json` for an editor with the Taplo server (Even Better TOML in VS Code).
validate-pyproject finds it by itself where memlint is installed.
"""

_TOGETHER = """\
An unknown key is an error. All settings, with values such as they may have:

```toml
[tool.memlint]
{settings}
```
"""


def page() -> str:
    """The whole page."""
    names = ", ".join(f"`{name}`" for name in NAMES)
    together = "\n".join(f"{name} = {key.example}" for name, key in KEYS.items())
    return "\n".join([_HEAD.format(names=names), _TOGETHER.format(settings=together), *_settings()])


def _settings() -> Iterator[str]:
    for name, key in KEYS.items():
        about = f"{key.about[0].upper()}{key.about[1:]}."
        default = json.dumps(key.schema["default"]) if "default" in key.schema else "not set"
        yield f"## `{name}`\n\n{about}\n\nDefault: {default}. For example:\n"
        yield f"```toml\n{name} = {key.example}\n```\n"


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """The command line: 1 when `--check` found the page stale, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when the page is stale")
    check = parser.parse_args(argv).check
    file, text = root / PAGE, page().rstrip("\n") + "\n"
    stale = not file.is_file() or file.read_text(encoding="utf-8") != text
    if stale and not check:
        file.write_text(text, encoding="utf-8", newline="\n")
    if stale:
        said = "is stale; run python -m tools.config_docs" if check else "written"
        print(f"{PAGE}: {said}", file=sys.stderr)
    return int(stale and check)


if __name__ == "__main__":
    sys.exit(main())
