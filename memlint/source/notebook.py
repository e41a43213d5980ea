"""Jupyter notebooks: their code cells as one module, and edits of it put back into the cells.

The module is the cells one below the other, each behind a line that marks where it begins. Only the `source`
values of changed cells are written, and of those only the changed lines; all else keeps its bytes.
"""

from __future__ import annotations

import ast
import codecs
import json
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from memlint.errors import SourceError
from memlint.finding import Edit, FileReport, Finding, Fix, Note, Span
from memlint.records import dataclass
from memlint.source import magics
from memlint.source.rawjson import LINE_END, Range, elements, members, with_lines
from memlint.source.text import apply_edits

FOREIGN = "notebook in another language"

_PLAIN, _INDENTED = "0", "if 1:"


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among all cells, from 1, its lines, and where its source stands in the JSON."""

    number: int
    lines: tuple[str, ...]
    place: Range


@dataclass(frozen=True, slots=True)
class Part:
    """A cell as a part of the module: the line in front of it, and its lines with magics masked."""

    cell: Cell
    marker: str
    masked: magics.Masked


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A cell that is not Python, masked as far as it could be."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Notebook:
    """One notebook. `text` is the module that its code cells make up; `skipped` says why there is none.

    Cells of other languages and processes (`%%bash`) are not part of the module, nor are `unreadable` ones.
    """

    path: str
    json: str
    bom: bool
    key: str
    parts: tuple[Part, ...]
    unreadable: tuple[Unreadable, ...] = ()
    skipped: str = ""

    @classmethod
    def decode(cls, path: str, data: bytes) -> Notebook:
        """Read a notebook of format 4.

        Raises:
            SourceError: it is not JSON, not a notebook, or of an older format.
        """
        bom = data.startswith(codecs.BOM_UTF8)
        try:
            text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
            content = json.loads(text)
        except UnicodeDecodeError as error:
            raise SourceError(f"{path}: byte 0x{data[error.start]:02x} is not valid utf-8") from error
        except json.JSONDecodeError as error:
            place = f"{path}:{error.lineno}"
            raise SourceError(f"{place}: is not valid JSON: {error.msg}", "open it in Jupyter") from error
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{path}: cannot be read as JSON: {error}") from error
        _demand_format_4(path, content)
        if not _is_python(content):
            return cls(path, text, bom, "", (), skipped=FOREIGN)
        cells = list(_code_cells(text, content))
        key = "memlint-cell"
        while any(key in line for cell in cells for line in cell.lines):
            key += "-"
        parts, unreadable = [], []
        for cell in cells:
            read = _read(cell, key)
            if isinstance(read, Part):
                parts.append(read)
            elif read is not None:
                unreadable.append(read)
        return cls(path, text, bom, key, tuple(parts), tuple(unreadable))

    @property
    def text(self) -> str:
        """The module."""
        lines = [line for part in self.parts for line in (part.marker, *part.masked.lines)]
        return "".join(f"{line}\n" for line in lines)

    def encode(self, text: str) -> bytes:
        """The bytes of the notebook with the edited module `text` in its cells.

        Raises:
            SourceError: `text` no longer shows where its cells begin.
        """
        whole, done = [], 0
        for part, lines in self._changed(text):
            begin, end = part.cell.place
            whole += [self.json[done:begin], with_lines(self.json, part.cell.place, lines)]
            done = end
        body = "".join([*whole, self.json[done:]]).encode("utf-8")
        return codecs.BOM_UTF8 + body if self.bom else body

    def changes(self, text: str) -> list[tuple[str, str, str]]:
        """The name, the old and the new text of every cell that the edited module changes.

        Raises:
            SourceError: `text` no longer shows where its cells begin.
        """
        return [
            (f"{self.path}:cell {part.cell.number}", _closed(part.cell.lines), _closed(lines))
            for part, lines in self._changed(text)
        ]

    def admit(self, report: FileReport, text: str) -> FileReport:
        """The findings of the module `text`, without fixes that reach beyond their cell."""
        return replace(report, findings=tuple(self._admitted(finding, text) for finding in report.findings))

    def _admitted(self, finding: Finding, text: str) -> Finding:
        fixes = [fix for fix in (finding.fix, *finding.alternatives) if fix and self._fits(fix, text)]
        secondary = tuple(self._admitted(other, text) for other in finding.secondary)
        fix, alternatives = fixes[0] if fixes else None, tuple(fixes[1:])
        return replace(finding, fix=fix, alternatives=alternatives, secondary=secondary)

    def show(self, report: FileReport, text: str) -> FileReport:
        """The findings of the module `text`, each at its place in its cell, with the cells' texts."""
        inner = self._split(text) or []
        view = _View.of([len(lines) for lines in inner], [part.cell.number for part in self.parts])
        cells = {
            part.cell.number: _joined(_unmasked(part, lines))
            for part, lines in zip(self.parts, inner, strict=False)
        }
        findings = sorted((view.finding(f, cells) for f in report.findings), key=lambda f: f.sort_key)
        shown = tuple(cells.items()) if findings else ()
        return replace(report, findings=tuple(findings), text=None, cells=shown, skipped=self.skipped)

    def place(self, finding: Finding, text: str) -> str:
        """Where a finding of the module `text` is, for messages."""
        shown = self.show(FileReport(self.path, (finding,)), text).findings[0]
        return f"{self.path}:cell {shown.cell}:{shown.span.line}"

    def _fits(self, fix: Fix, text: str) -> bool:
        """Whether a fix stays within one cell, which still compiles, but for imports in an earlier one."""
        old, new = self._split(text), self._split(apply_edits(text, list(fix.edits)))
        if old is None or new is None:
            return False
        changed = [at for at in range(len(old)) if old[at] != new[at]]
        others = [at for at in changed if not _adds_imports(old[at], new[at])]
        own = others or changed
        importing = next((at for at, lines in enumerate(old) if any(map(_is_import, lines))), len(old))
        if len(own) > 1 or any(at != importing or at > own[0] for at in changed if at not in own):
            return False
        headers = [part.marker for part in self.parts]
        return all(
            _compiles([headers[at], *new[at]]) or not _compiles([headers[at], *old[at]]) for at in changed
        )

    def _changed(self, text: str) -> Iterator[tuple[Part, list[str]]]:
        found = self._split(text)
        if found is None:
            raise SourceError(f"{self.path}: a fix would cross the border of a cell", "nothing was changed")
        for part, lines in zip(self.parts, found, strict=True):
            if lines != list(part.masked.lines):
                yield part, _unmasked(part, lines)

    def _split(self, text: str) -> list[list[str]] | None:
        """The lines of each cell in the edited module; None where a marker or a masked line was touched."""
        *lines, rest = text.split("\n")
        found: list[list[str]] = []
        for line in lines:
            if len(found) < len(self.parts) and line == self.parts[len(found)].marker:
                found.append([])
            elif not found:
                return None
            else:
                found[-1].append(line)
        if rest or len(found) != len(self.parts):
            return None
        for part, inner in zip(self.parts, found, strict=True):
            if [line for line in inner if self.key in line] != list(part.masked.originals):
                return None
        return found


@dataclass(frozen=True, slots=True)
class _View:
    """Where the cells stand in a module: the line of each one's marker, its number of lines, its number."""

    starts: tuple[int, ...]
    counts: tuple[int, ...]
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, counts: Sequence[int], numbers: Sequence[int]) -> _View:
        starts = [1]
        for count in counts:
            starts.append(starts[-1] + count + 1)
        return cls(tuple(starts), tuple(counts), tuple(numbers))

    def finding(self, finding: Finding, cells: dict[int, str]) -> Finding:
        if not self.counts:
            return finding
        cell, span = self._span(finding.span, cells)
        alternatives = tuple(self._fix(fix, cells) for fix in finding.alternatives)
        fix = self._fix(finding.fix, cells) if finding.fix else None
        notes = tuple(self._note(note, cells) for note in finding.notes)
        shown = replace(finding, cell=cell, span=span, notes=notes, fix=fix, alternatives=alternatives)
        return replace(shown, secondary=tuple(self.finding(other, cells) for other in finding.secondary))

    def _note(self, note: Note, cells: dict[int, str]) -> Note:
        if note.span is None:
            return note
        cell, span = self._span(note.span, cells)
        return replace(note, span=span, cell=cell)

    def _fix(self, fix: Fix, cells: dict[int, str]) -> Fix:
        return replace(fix, edits=tuple(self._edit(edit, cells) for edit in fix.edits))

    def _edit(self, edit: Edit, cells: dict[int, str]) -> Edit:
        """An edit in terms of its cell, whose last line has no end that a whole line could follow."""
        span = edit.span
        at = self._index(span.line - (span.column == 1 and span.line in self.starts[1:]))
        start, last = self.starts[at], self.counts[at]
        line, column, text = span.line - start, span.column, edit.text
        if span.end_line - start <= last:
            moved = Span(line, column, span.end_line - start, span.end_column)
            return Edit(moved, text, self.numbers[at])
        end = len(cells[self.numbers[at]].split("\n")[last - 1]) + 1
        if line > last:
            return Edit(Span(last, end, last, end), f"\n{text.removesuffix(chr(10))}", self.numbers[at])
        if text.endswith("\n") or column > 1 or line == 1:
            text = text.removesuffix("\n")
        else:
            line, column = line - 1, len(cells[self.numbers[at]].split("\n")[line - 2]) + 1
        return Edit(Span(line, column, last, end), text, self.numbers[at])

    def _span(self, span: Span, cells: dict[int, str]) -> tuple[int, Span]:
        at = self._index(span.line)
        number, start = self.numbers[at], self.starts[at]
        lines = cells[number].split("\n")
        if span.line == start:
            return number, Span(1, 1, 1, 1)
        end = (span.end_line - start, span.end_column)
        end = min(end, (len(lines), len(lines[-1]) + 1))
        return number, Span(span.line - start, span.column, *end)

    def _index(self, line: int) -> int:
        return min(bisect_right(self.starts, line), len(self.counts)) - 1


# --- reading ----------------------------------------------------------------------------------------


def _demand_format_4(path: str, content: Any) -> None:
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        if isinstance(content, dict) and isinstance(content.get("worksheets"), list):
            hint = "convert it: jupyter nbconvert --to notebook --nbformat 4"
            raise SourceError(f"{path}: is a notebook of the old format {content.get('nbformat', 3)}", hint)
        raise SourceError(f"{path}: is not a notebook: it has no list of cells")


def _is_python(content: dict[str, Any]) -> bool:
    """Whether the kernel runs Python 3; a notebook that says nothing is taken for one that does."""
    metadata = _mapping(content.get("metadata"))
    language, kernel = _mapping(metadata.get("language_info")), _mapping(metadata.get("kernelspec"))
    names = [language.get("name"), kernel.get("language"), kernel.get("name")]
    name = next((name.lower() for name in names[:2] if isinstance(name, str) and name), "")
    spec = str(names[2] or "").lower()
    if str(language.get("version", "")).startswith("2.") or (not language and spec == "python2"):
        return False
    if name:
        return name in ("python", "ipython", "python3")
    return not spec or not spec.startswith((".net", "ir", "julia", "sos", "xeus", "scala", "bash", "java"))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _code_cells(text: str, content: dict[str, Any]) -> Iterator[Cell]:
    if not content["cells"]:
        return
    start = members(text, text.index("{"))["cells"][0]
    places = elements(text, start)
    for number, (cell, place) in enumerate(zip(content["cells"], places, strict=True), 1):
        if _mapping(cell).get("cell_type") != "code" or not _is_code(_mapping(cell.get("metadata"))):
            continue
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if isinstance(source, str):
            yield Cell(number, tuple(LINE_END.split(source)), members(text, place[0])["source"])


def _is_code(metadata: dict[str, Any]) -> bool:
    """Whether a code cell is meant to run as Python: editors can give one cell another language."""
    return bool(_mapping(metadata.get("vscode")).get("languageId", "python") == "python")


def _read(cell: Cell, key: str) -> Part | Unreadable | None:
    """The cell as a part of the module; None for one in another language, which is left out."""
    label, text = f"{key} {cell.number}", ""
    for typed in (False, True):
        masked = magics.mask(cell.lines, label, typed=typed)
        if masked is None or magics.is_transcript(cell.lines):
            return None
        text = text or _joined(masked.lines)
        # IPython takes away an indentation that all of a cell has.
        for header in (_PLAIN, _INDENTED):
            marker = f"{header}  # {label}"
            if magics.parses("\n".join((marker, *masked.lines, ""))):
                return Part(cell, marker, masked)
    return Unreadable(cell.number, text)


# --- lines ------------------------------------------------------------------------------------------


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def _closed(lines: Sequence[str]) -> str:
    """The text of a cell with an end to its last line, which a file would have."""
    text = _joined(lines)
    return text if text.endswith("\n") else f"{text}\n"


def _unmasked(part: Part, lines: Sequence[str]) -> list[str]:
    return [part.masked.originals.get(line, line) for line in lines]


def _is_import(line: str) -> bool:
    return line.startswith(("import ", "from "))


def _adds_imports(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether `new` is `old` with nothing but lines of imports put in."""
    kept = iter(old)
    waiting = next(kept, None)
    for line in new:
        if line == waiting:
            waiting = next(kept, None)
        elif not _is_import(line):
            return False
    return waiting is None


def _compiles(lines: Sequence[str]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            compile("\n".join((*lines, "")), "<cell>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
