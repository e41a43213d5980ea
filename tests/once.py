"""Folders that one worker makes for all of a run: what takes seconds to make is not made by each of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, made by the worker that asks first; tests read it and write nothing there."""
    own = factory.getbasetemp()
    # pytest-xdist gives each worker a folder of its own below that of the run.
    root = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = root / name
    with FileLock(root / f"{name}.lock"):
        if not folder.exists():
            part = factory.mktemp(name)
            make(part)
            part.rename(folder)
    return folder
