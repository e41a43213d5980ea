"""Folders for the runs of scripts, which leave in them what they like."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def temporary(prefix: str, place: str | None = None) -> Iterator[str]:
    """A new folder, removed at the end as far as that can be done.

    A script may have made files immutable or nested folders by the thousand: no reason to lose its report.
    """
    folder = tempfile.TemporaryDirectory(prefix=prefix, dir=place, ignore_cleanup_errors=True)
    try:
        yield folder.name
    finally:
        with suppress(OSError, RecursionError):
            folder.cleanup()
