"""The language server itself: which document is checked when, and what the client is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from memlint import __version__
from memlint.commands.batch import project_of
from memlint.finding import Finding
from memlint.server import hints, opened
from memlint.server.convert import FIX_ALL, Text, actions, diagnostic, hover
from memlint.server.opened import Cell, Examined
from memlint.server.protocol import Protocol

PAUSE = 0.3
"""Seconds without a change after which a document is checked."""

T = TypeVar("T")


class Server(LanguageServer):
    """What is known about the documents of one client.

    Checks run one after another in a thread of their own, so that the client is answered meanwhile; one for
    a version that is no longer shown is not begun, and its result not told.
    """

    def __init__(self) -> None:
        sync = types.NotebookDocumentSyncOptions(
            notebook_selector=[
                types.NotebookDocumentFilterWithCells(
                    cells=[types.NotebookCellLanguage(language="python")],
                    notebook=types.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook"),
                )
            ],
            save=True,
        )
        super().__init__("memlint", __version__, protocol_cls=Protocol, notebook_document_sync=sync)
        self.checks = ThreadPoolExecutor(1, "check")
        self.known: dict[str, Examined] = {}
        self.due: dict[str, asyncio.Task[None]] = {}
        self.was_shut_down = False

    # --- what the client shows

    def text(self, uri: str) -> Text:
        """The document of an address as the client shows it."""
        document = self.workspace.get_text_document(uri)
        return Text(uri, document.source, document.version, document.position_codec)

    def whole(self, uri: str) -> str:
        """The address by which a document is checked: for a cell that of its notebook."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        return notebook.uri if notebook is not None else uri

    def cells(self, uri: str) -> list[Cell] | None:
        """The cells of a notebook in order; None for a script."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is None:
            return None
        return [
            Cell(
                cell.document,
                cell.kind == types.NotebookCellKind.Code,
                self.workspace.get_text_document(cell.document).source,
            )
            for cell in notebook.cells
        ]

    def shown_version(self, uri: str) -> int:
        """The version that the client shows."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        shown = notebook if notebook is not None else self.workspace.get_text_document(uri)
        return shown.version or 0

    def texts(self, uri: str, finding: Finding) -> Text:
        """The document that a finding is in: the cell, in a notebook."""
        cells = self.cells(uri)
        return self.text(uri if cells is None or finding.cell is None else cells[finding.cell - 1].uri)

    # --- checks

    def soon(self, uri: str, pause: float = PAUSE) -> None:
        """Check a document once it was left alone for a while."""
        if (waiting := self.due.pop(uri, None)) is not None:
            waiting.cancel()
        self.due[uri] = asyncio.get_running_loop().create_task(self._after(uri, pause))

    async def _after(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        found = await self.current(uri)
        if found.version == self.shown_version(uri):
            self.publish(uri, found)

    async def current(self, uri: str) -> Examined:
        """The findings of the version that is shown, found now where they are not known."""
        version = self.shown_version(uri)
        found = self.known.get(uri)
        if found is None or found.version != version:
            path, cells = to_fs_path(uri) or uri, self.cells(uri)
            text = "" if cells is not None else self.text(uri).text

            def look() -> Examined:
                if cells is not None:
                    return opened.examine_notebook(path, cells, version)
                return opened.examine(path, text, version)

            found = self.known[uri] = await self.apart(look)
        return found

    async def apart(self, work: Callable[[], T]) -> T:
        """Do something that takes its time in the thread of the checks."""
        return await asyncio.get_running_loop().run_in_executor(self.checks, work)

    def publish(self, uri: str, found: Examined) -> None:
        """Tell the client what was found in a document."""
        if found.problem:
            self.window_log_message(types.LogMessageParams(types.MessageType.Warning, found.problem))
        for target, findings in self._by_document(uri, found):
            text = self.text(target)
            shown = [diagnostic(finding, text) for finding in findings]
            parameters = types.PublishDiagnosticsParams(target, shown, text.version)
            self.text_document_publish_diagnostics(parameters)

    def _by_document(self, uri: str, found: Examined) -> Iterator[tuple[str, Sequence[Finding]]]:
        cells = self.cells(uri)
        if cells is None:
            yield uri, found.findings
            return
        for number, cell in enumerate(cells, 1):
            if cell.is_code:
                yield cell.uri, [finding for finding in found.findings if finding.cell == number]

    def drop(self, uri: str) -> None:
        """Forget a document that was closed, and take its diagnostics back."""
        if (waiting := self.due.pop(uri, None)) is not None:
            waiting.cancel()
        self.known.pop(uri, None)

    async def at(self, uri: str, span: types.Range) -> list[Finding]:
        """The findings whose range meets one in a document."""
        whole = self.whole(uri)
        found = await self.current(whole)
        return [
            finding
            for finding in found.findings
            if (text := self.texts(whole, finding)).uri == uri and _meet(text.range(finding.span), span)
        ]


def _meet(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def server() -> Server:
    """A server with all that it answers to."""
    found = Server()
    _documents(found)
    _notebooks(found)
    _answers(found)
    return found


def _documents(server: Server) -> None:
    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.was_shut_down = True

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(parameters: types.DidOpenTextDocumentParams) -> None:
        server.soon(parameters.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(parameters: types.DidChangeTextDocumentParams) -> None:
        server.soon(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(parameters: types.DidSaveTextDocumentParams) -> None:
        await _changed_on_disk(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(parameters: types.DidChangeWatchedFilesParams) -> None:
        await _changed_on_disk(server)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(parameters: types.DidCloseTextDocumentParams) -> None:
        uri = parameters.text_document.uri
        server.drop(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def _changed_on_disk(server: Server) -> None:
    """Imports and settings may say something else now: whatever is open is checked again."""
    await server.apart(opened.forget)
    for uri in [*server.known]:
        server.known.pop(uri)
        server.soon(uri)


def _notebooks(server: Server) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(parameters: types.DidOpenNotebookDocumentParams) -> None:
        server.soon(parameters.notebook_document.uri, 0)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(parameters: types.DidChangeNotebookDocumentParams) -> None:
        server.soon(parameters.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    async def did_save(parameters: types.DidSaveNotebookDocumentParams) -> None:
        await _changed_on_disk(server)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(parameters: types.DidCloseNotebookDocumentParams) -> None:
        server.drop(parameters.notebook_document.uri)
        for cell in parameters.cell_text_documents:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(cell.uri, []))


def _answers(server: Server) -> None:
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def code_action(parameters: types.CodeActionParams) -> list[types.CodeAction]:
        uri, only = parameters.text_document.uri, parameters.context.only
        found: list[types.CodeAction] = []
        if _is_wanted(types.CodeActionKind.QuickFix, only):
            for finding in await server.at(uri, parameters.range):
                found += actions(finding, server.texts(server.whole(uri), finding))
        if _is_wanted(FIX_ALL, only) and server.whole(uri) == uri:
            found += await _fix_all(server, uri)
        return found

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(parameters: types.HoverParams) -> types.Hover | None:
        place = types.Range(parameters.position, parameters.position)
        text = hover(await server.at(parameters.text_document.uri, place))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(parameters: types.InlayHintParams) -> list[types.InlayHint]:
        uri = parameters.text_document.uri
        text, path = server.text(uri), to_fs_path(uri)
        if path is None:
            return []
        root = project_of(Path(path).absolute().parent)
        found = await server.apart(lambda: hints.hints(path, text.lines, root))
        first, last = parameters.range.start.line, parameters.range.end.line
        return [_inlay(text, hint) for hint in found if first <= hint.line - 1 <= last]


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a client asks for a kind of action, by its name or by a part of it."""
    return only is None or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in only)


async def _fix_all(server: Server, uri: str) -> list[types.CodeAction]:
    text, path = server.text(uri), to_fs_path(uri) or uri
    new = await server.apart(lambda: opened.fixed(path, text.text))
    if new == text.text:
        return []
    title = "memlint: apply all safe fixes"
    return [types.CodeAction(title=title, kind=FIX_ALL, edit=text.replaced(new))]


def _inlay(text: Text, hint: hints.Hint) -> types.InlayHint:
    end = len(text.lines[hint.line - 1].rstrip("\r\n")) + 1
    return types.InlayHint(
        position=text.position(hint.line, end), label=hint.text, tooltip=hint.origin, padding_left=True
    )
