"""The language server, spoken to by pygls' own client over a pipe."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec

from memlint.server.convert import FIX_ALL, Text
from tests.command import ENVIRONMENT, FIXED, LEAK
from tests.notebooks import LOOP, SETUP

# Two code points that UTF-16 writes with two units each, before the line's own text.
WIDE = LEAK.replace("    total += loss", '    s = "\N{FIRE}\N{FIRE}"; total += loss')
SECONDS = 60


class Editor:
    """A client that keeps what it is told; `root` is the folder that it has opened."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = LanguageClient("test", "1")
        self.told: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(parameters: types.PublishDiagnosticsParams) -> None:
            self.told.setdefault(parameters.uri, []).append(parameters)
            self.news.set()

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(parameters: types.LogMessageParams) -> None:
            self.told.setdefault("log", []).append(parameters)  # type: ignore[arg-type]

    async def start(self) -> None:
        command = [sys.executable, "-m", "memlint", "server"]
        await self.client.start_io(*command, cwd=str(self.root), env=ENVIRONMENT)
        parameters = types.InitializeParams(
            capabilities=types.ClientCapabilities(), root_uri=self.root.as_uri(), process_id=None
        )
        await self.client.initialize_async(parameters)
        self.client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, name: str, text: str, version: int = 1) -> str:
        uri = (self.root / name).as_uri()
        item = types.TextDocumentItem(uri, "python", version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))

    async def diagnostics(self, uri: str, version: int) -> list[types.Diagnostic]:
        """The diagnostics that were published for a version of a document."""
        while True:
            for told in self.told.get(uri, []):
                if told.version == version:
                    return list(told.diagnostics)
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), SECONDS)

    async def actions(self, uri: str, span: types.Range, *only: str) -> list[types.CodeAction]:
        context = types.CodeActionContext([], only=list(only) or None)
        identifier = types.TextDocumentIdentifier(uri)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(identifier, span, context)
        )
        return [action for action in found or [] if isinstance(action, types.CodeAction)]


def edited(text: str, action: types.CodeAction) -> str:
    """The text after the edits of an action, its columns counted in UTF-16 as a client does."""
    assert action.edit is not None
    (document,) = action.edit.document_changes or []
    assert isinstance(document, types.TextDocumentEdit)
    lines = text.split("\n")
    for edit in sorted(document.edits, key=lambda e: e.range.start, reverse=True):  # type: ignore[union-attr]
        start, end = edit.range.start, edit.range.end  # type: ignore[union-attr]
        before = utf16(lines[start.line], 0, start.character)
        after = utf16(lines[end.line], end.character, None)
        lines[start.line : end.line + 1] = (before + edit.new_text + after).split("\n")  # type: ignore[union-attr]
    return "\n".join(lines)


def utf16(line: str, start: int, end: int | None) -> str:
    units = line.encode("utf-16-le")
    return units[2 * start : None if end is None else 2 * end].decode("utf-16-le")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "memlint.toml").write_text('select = ["MEM101"]\n', encoding="utf-8")
    (tmp_path / ".git").mkdir()
    return tmp_path


def spoken(root: Path, talk: Callable[[Editor], Awaitable[None]]) -> None:
    async def session() -> None:
        editor = Editor(root)
        await editor.start()
        await talk(editor)
        await editor.stop()

    asyncio.run(asyncio.wait_for(session(), 3 * SECONDS))


def test_diagnostics_follow_what_is_typed(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open("train.py", WIDE)
        (found,) = await editor.diagnostics(uri, 1)
        assert (found.code, found.source) == ("MEM101", "memlint")
        assert found.severity == types.DiagnosticSeverity.Warning
        line = WIDE.split("\n")[found.range.start.line]
        assert utf16(line, found.range.start.character, found.range.end.character) == "total += loss"
        # Many changes at once: only the last version is checked and published.
        for version in range(2, 9):
            editor.change(uri, "import torch\n" + "x = (\n" * version, version)
        editor.change(uri, FIXED, 9)
        assert await editor.diagnostics(uri, 9) == []
        assert [told.version for told in editor.told[uri]] == [1, 9]

    spoken(project, talk)


def test_fixes_ignores_and_texts_are_offered(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open("train.py", WIDE)
        (found,) = await editor.diagnostics(uri, 1)
        fix, *others, ignore = await editor.actions(uri, found.range, types.CodeActionKind.QuickFix)
        assert fix.is_preferred
        assert edited(WIDE, fix) == WIDE.replace("total += loss", "total += loss.detach()")
        assert all(not other.is_preferred for other in others)
        assert ignore.title == "Ignore MEM101 on this line"
        silent = WIDE.replace("total += loss", "total += loss  # memlint: ignore[MEM101]")
        assert edited(WIDE, ignore) == silent
        (everything,) = await editor.actions(uri, types.Range(*2 * [types.Position(0, 0)]), "source.fixAll")
        assert everything.kind == FIX_ALL
        assert edited(WIDE, everything) == WIDE.replace("total += loss", "total += loss.detach()")
        identifier = types.TextDocumentIdentifier(uri)
        hover = await editor.client.text_document_hover_async(
            types.HoverParams(identifier, found.range.start)
        )
        assert isinstance(hover, types.Hover)
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("**MEM101** loss-graph-accumulation\n")
        away = await editor.client.text_document_hover_async(
            types.HoverParams(identifier, types.Position(0, 0))
        )
        assert away is None
        assert await editor.actions(uri, types.Range(*2 * [types.Position(0, 0)]), "quickfix") == []

    spoken(project, talk)


def test_settings_and_imports_are_read_again_when_saved(project: Path) -> None:
    calling = LEAK.replace("total += loss", "total += number(loss)")
    script = f"from helper import number\n{calling}"
    helper = project / "helper.py"
    helper.write_text("def number(x):\n    return x\n", encoding="utf-8")

    async def talk(editor: Editor) -> None:
        uri = editor.open("train.py", script)
        assert len(await editor.diagnostics(uri, 1)) == 1
        helper.write_text("def number(x):\n    return x.item()\n", encoding="utf-8")
        editor.told.clear()
        saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(helper.as_uri()))
        editor.client.text_document_did_save(saved)
        assert await editor.diagnostics(uri, 1) == []
        (project / "memlint.toml").write_text("selct = []\n", encoding="utf-8")
        editor.told.clear()
        changed = types.FileEvent((project / "memlint.toml").as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.diagnostics(uri, 1)
        (said,) = editor.told["log"]
        assert "unknown key `selct`" in said.message  # type: ignore[attr-defined]

    spoken(project, talk)


@pytest.mark.parametrize(("methods", "code"), [(["shutdown", "exit"], 0), (["exit"], 1), ([], 1)])
def test_the_exit_code_tells_whether_the_client_asked_for_the_shutdown(methods: list[str], code: int) -> None:
    asked = {"shutdown": '{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}'}
    asked["exit"] = '{"jsonrpc": "2.0", "method": "exit"}'
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    messages = [json.dumps(first), *(asked[method] for method in methods)]
    said = "".join(f"Content-Length: {len(message)}\r\n\r\n{message}" for message in messages)
    command = [sys.executable, "-m", "memlint", "server"]
    done = subprocess.run(command, input=said.encode(), capture_output=True, env=ENVIRONMENT, timeout=SECONDS)
    assert done.returncode == code, done.stderr


def test_a_message_larger_than_memory_is_named_in_one_line() -> None:
    command = [sys.executable, "-m", "memlint", "server"]
    said = f"Content-Length: {10**15}\r\n\r\n{{}}".encode()
    done = subprocess.run(command, input=said, capture_output=True, env=ENVIRONMENT, timeout=SECONDS)
    assert done.returncode == 2
    last = done.stderr.decode().splitlines()
    assert last == ["memlint: error: the client announces a message that is larger than memory"]


def test_closing_takes_diagnostics_back(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open("train.py", LEAK)
        assert await editor.diagnostics(uri, 1)
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        editor.client.text_document_did_close(closed)
        while editor.told[uri][-1].diagnostics:
            editor.news.clear()
            await asyncio.wait_for(editor.news.wait(), SECONDS)

    spoken(project, talk)


def test_cells_of_a_notebook_have_diagnostics_of_their_own(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        base = (project / "leak.ipynb").as_uri()
        texts = [(SETUP, types.NotebookCellKind.Code), ("# title", types.NotebookCellKind.Markup)]
        texts.append((LOOP, types.NotebookCellKind.Code))
        cells = [types.NotebookCell(kind, f"{base}#c{n}") for n, (_, kind) in enumerate(texts)]
        notebook = types.NotebookDocument(base, "jupyter-notebook", 1, cells)
        items = [
            types.TextDocumentItem(f"{base}#c{n}", "python", 1, text) for n, (text, _) in enumerate(texts)
        ]
        editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
        assert await editor.diagnostics(f"{base}#c0", 1) == []
        (found,) = await editor.diagnostics(f"{base}#c2", 1)
        assert LOOP.split("\n")[found.range.start.line] == "    total += loss"
        fix, *_ = await editor.actions(f"{base}#c2", found.range, "quickfix")
        assert edited(LOOP, fix) == LOOP.replace("total += loss", "total += loss.detach()")

    spoken(project, talk)


# --- measured bytes


def session_of(folder: Path, name: str, text: str, line: int, **growth: Any) -> Path:
    """A session file that says 3 MiB at the peak and 512 B per step of one line."""
    held = {"file": name, "line": line, "forward_file": "", "forward_line": 0, "kind": "activation"}
    held |= {"phase": "forward", "bytes": 3 << 20, "tensors": 1}
    row = {"file": name, "line": line, "series": "optimizer step", "bytes_per_step": 512}
    row |= {"block_bytes_per_step": 512, "steps": 20, "of": 20}
    arm = {"name": "original", "title": "the script as it is", "probe": "tracker", "device": "cpu"}
    arm |= {"stopped": "the script ended", "seconds": 1.0, "lines": [held], "growth": [row]}
    arm |= {"peak": {"bytes": 4 << 20, "phase": "forward", "step": 1, "event": 3}}
    there = {"python": "3", "platform": "p", "torch": "2", "device": "cpu", "device_name": "x", "threads": 1}
    content = {"schema_version": 1, "memlint": "0", "script": name, "arguments": [], "started": "today"}
    content |= {"environment": there, "options": {}, "arms": [arm], "findings": []}
    content |= {"sources": {name: {str(line): text.split("\n")[line - 1]}}}
    file = folder / "session.json"
    file.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return file


def test_lines_carry_what_a_replay_has_measured(project: Path) -> None:
    script = project / "train.py"
    script.write_text(LEAK, encoding="utf-8")
    session_of(project, "train.py", LEAK, 11)

    async def talk(editor: Editor) -> None:
        async def hints(uri: str) -> list[tuple[int, str]]:
            everything = types.Range(types.Position(0, 0), types.Position(99, 0))
            parameters = types.InlayHintParams(types.TextDocumentIdentifier(uri), everything)
            found = await editor.client.text_document_inlay_hint_async(parameters)
            return [(hint.position.line, str(hint.label)) for hint in found or []]

        uri = editor.open("train.py", LEAK)
        assert await hints(uri) == [(10, "3 MiB at the peak, 512 B per step")]
        editor.change(uri, "# moved\n" + LEAK, 2)
        assert await hints(uri) == [(11, "3 MiB at the peak, 512 B per step")]
        editor.change(uri, FIXED, 3)
        assert await hints(uri) == []

    spoken(project, talk)


# --- ranges


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "a\nc\n"),
        ("a\nc\n", "a\nb\nc\n"),
        ("a\na\na\n", "a\na\n"),
        ("a\n", "a\na\n"),
        ("a", "a\nb"),
        ("", "a\n"),
        ("a\nb", "a"),
        ("x\n\N{FIRE}b\n", "x\n\N{FIRE}c\n"),
    ],
)
def test_the_edit_that_makes_one_text_the_other(old: str, new: str) -> None:
    text = Text("file:///a.py", old, 1, PositionCodec())
    assert edited(old, types.CodeAction("", edit=text.replaced(new))) == new
