"""Checking what an editor shows: one text, or the cells of a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memlint import packs
from memlint.commands.batch import Mode, Task, checks_for, process_text
from memlint.config import Overrides, Settings, pins, resolve
from memlint.config.files import nearest
from memlint.engine import check as engine
from memlint.errors import MemlintError
from memlint.finding import FileReport, Finding
from memlint.project import gate
from memlint.records import dataclass
from memlint.source.notebook import Notebook
from memlint.source.text import Source


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found in one version of a document.

    `problem` says why it could not be checked (a wrong setting, an internal error), "" where it could.
    """

    version: int
    findings: tuple[Finding, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a notebook: its document, whether it is code, and its text."""

    uri: str
    is_code: bool
    text: str


def examine(path: str, text: str, version: int) -> Examined:
    """The findings of a script; never raises."""
    return _examined(lambda: Source(path, text), path, version, text.encode("utf-8", "surrogateescape"))


def examine_notebook(path: str, cells: Sequence[Cell], version: int) -> Examined:
    """The findings of a notebook, each with the number of its cell from 1; never raises."""
    return _examined(lambda: Notebook.decode(path, _as_file(cells)), path, version)


def fixed(path: str, text: str) -> str:
    """The text with all safe fixes, as `memlint check --fix` would write it."""
    checks = checks_for(path, resolve(_folder(path), Overrides()))
    return process_text(Source(path, text), Task(path, checks, Mode(fix=True))).after


def forget() -> None:
    """Other files or settings have changed on disk: nothing that was read from there holds any longer."""
    engine.forget()
    packs.forget()
    nearest.cache_clear()
    pins.forget()


def _examined(
    read: Callable[[], Source | Notebook], path: str, version: int, data: bytes | None = None
) -> Examined:
    """What is found in a document; `data` is what decides whether it concerns any rule, None where it may."""
    try:
        settings = resolve(_folder(path), Overrides())
        if data is not None and not _concerns(data, settings):
            return Examined(version)
        checks = checks_for(path, settings)
        report: FileReport = process_text(read(), Task(path, checks, Mode())).report
    except MemlintError as error:
        return Examined(version, problem=str(error))
    except Exception as crash:  # the server goes on, whatever a file does to it
        return Examined(version, problem=f"internal error: {crash!r}")
    return Examined(version, report.findings, report.failed.partition("\n")[0])


def _concerns(data: bytes, settings: Settings) -> bool:
    return not gate.is_unrelated(data) or gate.has_word(data, packs.words(settings.rule_packs))


def _folder(path: str) -> Path:
    return Path(path).absolute().parent


def _as_file(cells: Sequence[Cell]) -> bytes:
    """A notebook of format 4 with the cells of an editor."""
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    shown: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": cell.text}
        if cell.is_code
        else {"cell_type": "markdown", "metadata": {}, "source": cell.text}
        for cell in cells
    ]
    content = {"cells": shown, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1).encode("utf-8")
