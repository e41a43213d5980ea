"""The exception tree.

MemlintError          the job could not be done: one line on stderr, exit code 2
├── UsageError        an option, selector or path that the user gave cannot be used
├── ConfigError       a configuration file is malformed or has an unknown key
├── SourceError       one file cannot be read, decoded or written; the other files go on
├── PackError         a rule pack cannot be read
└── CatalogueError    the shipped rule data is damaged
"""

from __future__ import annotations

from memlint.plain import clean


class MemlintError(Exception):
    """Something memlint cannot do, said in one line.

    Args:
        message: what is wrong, naming the file and line where there is one; lower case, no full stop.
            Characters that drive a terminal are taken out: a path in it may come from a stranger.
        hint: what the user can do about it, or "" when the message already says so.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = clean(message)
        self.hint = clean(hint)

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(MemlintError):
    """An option, a selector or a path from the command line cannot be used."""


class ConfigError(MemlintError):
    """A configuration file is malformed, or holds a key or value that memlint does not know."""


class SourceError(MemlintError):
    """One source file cannot be read, decoded or written."""


class PackError(MemlintError):
    """A rule pack is missing, malformed, or not alone with its codes."""


class CatalogueError(MemlintError):
    """The rule data that belongs to memlint itself is missing or malformed."""
