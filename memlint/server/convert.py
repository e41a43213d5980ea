"""Findings in the terms of the protocol: ranges in the client's units, diagnostics, fixes, texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from lsprotocol import types
from pygls.workspace import PositionCodec

from memlint import packs
from memlint.edit.ignores import with_ignores
from memlint.finding import Applicability, Edit, Finding, Fix, Severity, Span
from memlint.source.text import line_starts

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ADVICE: types.DiagnosticSeverity.Information,
}
FIX_ALL = "source.fixAll.memlint"


class Text:
    """One document: its address, its text, and how the client counts columns in it."""

    def __init__(self, uri: str, text: str, version: int | None, codec: PositionCodec) -> None:
        self.uri, self.text, self.version = uri, text, version
        starts = [*line_starts(text), len(text)]
        # Behind the end of the last line there is one more to the protocol: an empty one.
        self.lines = [text[a:b] for a, b in pairwise(starts)] or [""]
        self._codec = codec

    def range(self, span: Span) -> types.Range:
        """A span, whose lines and columns start at 1 and count code points, as the client counts."""
        return types.Range(
            self.position(span.line, span.column), self.position(span.end_line, span.end_column)
        )

    def position(self, line: int, column: int) -> types.Position:
        """A place counted from 1 in code points, as the client counts."""
        if line > len(self.lines):
            line, column = len(self.lines), len(self.lines[-1]) + 1
        before = self.lines[line - 1][: column - 1]
        return types.Position(line - 1, self._codec.client_num_units(before))

    def edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        """Edits of this document, which the client refuses if it has changed since."""
        found = [types.TextEdit(self.range(edit.span), edit.text) for edit in edits]
        document = types.OptionalVersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [*found])])

    def replaced(self, new: str) -> types.WorkspaceEdit:
        """The edit that makes this document `new`, from the first line that differs to the last."""
        old, wanted = self.lines, Text(self.uri, new, self.version, self._codec).lines
        first = _equal(old, wanted)
        last = _equal(old[first:][::-1], wanted[first:][::-1])
        end = Span(first + 1, 1, len(old), len(old[-1]) + 1)
        span = replace(end, end_line=len(old) - last + 1, end_column=1) if last else end
        return self.edit([Edit(span, "".join(wanted[first : len(wanted) - last]))])


def _equal(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines at the start of two lists are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def diagnostic(finding: Finding, text: Text) -> types.Diagnostic:
    """The diagnostic of a finding: headline and remedy, and the places that its labels speak of."""
    told = [note.text for note in finding.notes if note.kind in ("why", "help")]
    related = [
        types.DiagnosticRelatedInformation(types.Location(text.uri, text.range(note.span)), note.text)
        for note in finding.notes
        if note.kind == "label" and note.span is not None and note.cell == finding.cell
    ]
    related += [
        types.DiagnosticRelatedInformation(
            types.Location(text.uri, text.range(other.span)), f"{other.code}: {other.message}"
        )
        for other in finding.secondary
        if (other.path, other.cell) == (finding.path, finding.cell)
    ]
    return types.Diagnostic(
        range=text.range(finding.span),
        message="\n".join([finding.message, *told]),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(href=finding.url) if finding.url else None,
        source="memlint",
        related_information=related or None,
        data={"fingerprint": finding.fingerprint},
    )


def actions(finding: Finding, text: Text) -> list[types.CodeAction]:
    """Every fix of a finding that can be applied, the safe one preferred, and a comment that silences it."""
    shown = [diagnostic(finding, text)]
    fixes = [fix for fix in (finding.fix, *finding.alternatives) if fix is not None]
    fixes = [fix for fix in fixes if _applies(fix, finding)]
    found = [
        types.CodeAction(
            title=_title(finding, fix),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=shown,
            is_preferred=number == 0 and fix.applicability is not Applicability.UNSAFE,
            edit=text.edit(fix.edits),
        )
        for number, fix in enumerate(fixes)
    ]
    ignored, written = with_ignores(text.text, [finding], "")
    if written:
        title = f"Ignore {finding.code} on this line"
        kind = types.CodeActionKind.QuickFix
        edit = text.replaced(ignored)
        found.append(types.CodeAction(title=title, kind=kind, diagnostics=shown, edit=edit))
    return found


def _applies(fix: Fix, finding: Finding) -> bool:
    """Whether a fix can be applied here: those of a notebook that reach into other cells cannot."""
    inside = all(edit.cell == finding.cell for edit in fix.edits)
    return bool(fix.edits) and inside and fix.applicability is not Applicability.DISPLAY


def _title(finding: Finding, fix: Fix) -> str:
    caution = f" (unsafe: {fix.caution})" if fix.applicability is Applicability.UNSAFE else ""
    return f"{finding.code}: {fix.title}{caution}"


def hover(findings: Iterable[Finding]) -> str:
    """What rules say of findings, as Markdown; "" for none."""
    parts = []
    for finding in findings:
        rule = packs.rule_of(finding)
        about = f"{rule.summary[0].upper()}{rule.summary[1:]}." if rule else ""
        lines = [f"**{finding.code}** {finding.name}", about, finding.message]
        lines += [note.text for note in finding.notes if note.kind != "label"]
        parts.append("\n\n".join([*filter(None, lines), _explained(finding)]))
    return "\n\n---\n\n".join(parts)


def _explained(finding: Finding) -> str:
    offline = f"`memlint rule {finding.code}` explains it"
    return f"{offline}, as does [its page]({finding.url})." if finding.url else f"{offline}."
