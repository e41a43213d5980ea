"""One source file: bytes in, text, and the same bytes out again when nothing was edited."""

from __future__ import annotations

import codecs
import io
import tokenize
from itertools import accumulate

from memlint.errors import SourceError
from memlint.finding import Edit, FileReport, Finding
from memlint.records import dataclass

_NO_UTF8 = "invalid or missing encoding declaration"
"""What tokenize says of bytes in the first two lines that are not UTF-8: decoding names line and byte."""


@dataclass(frozen=True, slots=True)
class Source:
    """The decoded text of one file with what is needed to write it back unchanged.

    `text` keeps the newlines of the file ("\\r\\n" stays); the byte order mark is not part of it.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    exact: bool = True
    """Whether the encoding makes the file's very bytes of its text: some can say one thing in two ways."""

    @classmethod
    def decode(cls, path: str, data: bytes) -> Source:
        """Decode as Python would: byte order mark, then the coding cookie of PEP 263, then UTF-8.

        Raises:
            SourceError: the cookie names no known codec, or the bytes do not fit the encoding.
        """
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except SyntaxError as error:
            if data.startswith(codecs.BOM_UTF8):
                problem = "its byte order mark says UTF-8, and its coding comment something else"
                raise SourceError(f"{path}: {problem}", "delete the coding comment") from error
            if error.msg != _NO_UTF8:
                raise SourceError(f"{path}: {error.msg}", "save the file as UTF-8") from error
            encoding = "utf-8"
        bom = data.startswith(codecs.BOM_UTF8)
        if encoding == "utf-8-sig":
            encoding = "utf-8"
        body = data[len(codecs.BOM_UTF8) :] if bom else data
        try:
            text = body.decode(encoding)
            exact = encoding == "utf-8" or text.encode(encoding) == body
        except UnicodeDecodeError as error:
            line = body.count(b"\n", 0, error.start) + 1
            raise SourceError(
                f"{path}:{line}: byte 0x{body[error.start]:02x} is not valid {encoding}",
                "save the file as UTF-8 or declare its encoding in the first line",
            ) from error
        except (UnicodeError, LookupError) as error:  # among them codecs that are none for text
            raise SourceError(f"{path}: cannot be read as {encoding}", "save the file as UTF-8") from error
        return cls(path, text, encoding, bom, exact)

    def encode(self, text: str) -> bytes:
        """The bytes of `text` in this file's encoding, with its byte order mark.

        Raises:
            SourceError: a character of `text` does not exist in the file's encoding, or bytes of what was not
                edited would change as well.
        """
        if not self.exact:
            problem = f"in {self.encoding} other lines would get other bytes, so it was not fixed"
            raise SourceError(f"{self.path}: {problem}", "save the file as UTF-8")
        try:
            body = text.encode(self.encoding)
        except UnicodeError as error:
            raise SourceError(f"{self.path}: the fix needs a character that {self.encoding} lacks") from error
        return codecs.BOM_UTF8 + body if self.bom else body

    def changes(self, text: str) -> list[tuple[str, str, str]]:
        """The name, the old and the new text of what an edited text changes: the file."""
        return [(self.path, self.text, text)]

    def admit(self, report: FileReport, text: str) -> FileReport:
        """The findings with those fixes that can be written: in a script, all of them."""
        return report

    def show(self, report: FileReport, text: str) -> FileReport:
        """The findings in terms of the file, which is the text itself."""
        return report

    def place(self, finding: Finding, text: str) -> str:
        """Where a finding is, for messages."""
        return f"{self.path}:{finding.span.line}"


def line_starts(text: str) -> list[int]:
    """Offset of the first code point of every line, as Python's tokenizer splits lines."""
    lines = text.splitlines(keepends=True) if not _odd_breaks(text) else _split(text)
    starts = [0, *accumulate(map(len, lines))]
    return starts if text.endswith(("\n", "\r")) or not lines else starts[:-1]


def apply_edits(text: str, edits: list[Edit]) -> str:
    """`text` with non-overlapping edits applied.

    Raises:
        ValueError: two edits overlap.
    """
    starts = line_starts(text)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1

    spans = ((e.span, e.text) for e in edits)
    ranges = sorted((offset(s.line, s.column), offset(s.end_line, s.end_column), text) for s, text in spans)
    parts: list[str] = []
    done = 0
    for begin, end, new in ranges:
        if begin < done:
            raise ValueError("overlapping edits")
        parts += [text[done:begin], new]
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _odd_breaks(text: str) -> bool:
    """Whether str.splitlines would split where Python source has no line end (form feed and others)."""
    return any(c in text for c in "\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def _split(text: str) -> list[str]:
    return io.StringIO(text, newline="").readlines()
