"""Regular expressions that are compiled when they are first asked: one script needs a third of them."""

from __future__ import annotations

import re
from typing import Any, cast


class _Pattern:
    """Stands for a compiled pattern; what it is asked for most often is looked up once."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        self.match, self.search, self.fullmatch = compiled.match, compiled.search, compiled.fullmatch
        return getattr(compiled, name)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern as `re.compile` makes it, compiled on first use. It can be asked, but not given to `re`."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
