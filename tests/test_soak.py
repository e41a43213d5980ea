"""Memory and handles of one process that is used for long: benchmarks.soak, with few edits."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import weakref
from pathlib import Path

import pytest

from benchmarks.soak import Look, look, server
from memlint.__main__ import program
from memlint.analysis.imported import Project
from memlint.analysis.model import ScriptModel
from memlint.project.modules import Modules
from memlint.server import serve
from tests.command import LEAK

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")


def test_a_server_keeps_nothing_open_and_ends_well(tmp_path: Path) -> None:
    seen = list(server(20, tmp_path))
    assert [now.times for now in seen] == [*range(2, 21, 2)]
    assert {(now.handles, now.children, now.files) for now in seen} == {(seen[0].handles, 0, 0)}
    assert all(now.resident > 10_000 for now in seen)


def test_what_grows_is_seen(tmp_path: Path) -> None:
    first = Look(1, 1000, 5, 0, 0)
    assert not Look(9, 1049, 5, 0, 0).exceeds(first)
    assert Look(9, 1051, 5, 0, 0).exceeds(first)
    assert Look(9, 900, 6, 0, 0).exceeds(first)
    with (tmp_path / "left").open("w", encoding="utf-8"):
        now = look(os.getpid(), 1, tmp_path)
    assert now.files == 1


def test_a_file_that_is_edited_keeps_one_tree(tmp_path: Path) -> None:
    project = Project(Modules(tmp_path))
    for number in range(3):
        text = f"{LEAK}# {number}\n"
        model = ScriptModel.parse(text, "train.py")
        project.keep(tmp_path / "train.py", text, model.module, model.names)
    kept = project._files.get(tmp_path / "train.py")
    assert kept is not None
    assert kept.text == text
    assert project._files._length == len(text)


def test_a_notification_that_was_handled_is_forgotten(tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()

    async def kept() -> int:
        found = serve.server()

        def tell(method: str, parameters: object, **more: object) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": parameters, **more}
            found.protocol.handle_message(found.protocol.structure_message(message))

        tell("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}, id=1)
        tell("initialized", {})
        item = {"uri": uri, "languageId": "python", "version": 0, "text": LEAK}
        tell("textDocument/didOpen", {"textDocument": item})
        for number in range(1, 6):
            change = {"text": f"{LEAK}# {number}\n"}
            document = {"uri": uri, "version": number}
            tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        tell("textDocument/didSave", {"textDocument": {"uri": uri}})
        while asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.sleep(0.05)
        assert found.workspace.get_text_document(uri).source.endswith("# 5\n")
        return len(found.protocol._request_futures)

    assert asyncio.run(kept()) == 0


def test_a_server_collects_the_garbage_of_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that refer to each other are left by every edit, and nothing but a collection frees them."""

    class Left:
        def __init__(self) -> None:
            self.other = self

    left: list[weakref.ref[Left]] = []

    def edit(_: serve.Server) -> None:
        left.extend(weakref.ref(Left()) for _ in range(20_000))

    monkeypatch.setattr(serve.Server, "start_io", edit)
    monkeypatch.setattr(sys, "argv", ["memlint", "server"])
    before = gc.get_threshold()
    try:
        assert program() == 1  # the client has not asked for the shutdown
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
    assert sum(each() is not None for each in left) < 5_000
