"""Session files of strangers: what they hold runs in no page and drives no terminal."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import pytest

from memlint.__main__ import main
from memlint.errors import SourceError
from memlint.plain import clean
from memlint.report.session import html
from memlint.report.session.annotate import annotated, render_html
from memlint.report.session.next_command import next_command
from memlint.session_file import from_json, to_json
from tests.runtime.test_session import a_session

TEXT = "##[error]</script><!--<script>\"'><img src=x onerror=alert(1)>\x1b[31m\x9b\n::error::\u202e"


class _Page(HTMLParser):
    """The elements of a page, and what its policy says."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.policy = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""


_KEPT = {
    *("schema_version", "status", "phase", "unit", "purpose", "device", "kind", "event", "ribbon", "severity")
}


def _poisoned(value: Any, key: str = "") -> Any:
    """A session in which every text that its reader lets pass is hostile."""
    if isinstance(value, dict):
        return {name: _poisoned(inner, name) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_poisoned(inner, key) for inner in value]
    return f"{TEXT}{value}" if isinstance(value, str) and key not in _KEPT else value


def test_a_session_puts_nothing_into_a_page() -> None:
    original = to_json(a_session())
    session = from_json(json.dumps(_poisoned(original)), "s.json")
    usual, page = _Page(html.render(a_session())), html.render(session)
    found = _Page(page)
    assert "img" not in found.elements
    assert not {name for name in found.attributes if name.startswith("on") or name in ("src", "srcset")}
    assert found.elements.count("script") == usual.elements.count("script") == 2
    code = (resources("memlint.report") / "assets" / "session.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(code.encode()).digest()).decode()
    assert found.policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert f"<script>{code}</script>" in page
    assert "<!--" not in page


def test_a_session_puts_nothing_into_an_annotated_page() -> None:
    session = from_json(json.dumps(_poisoned(to_json(a_session()))), "s.json")
    path = session.original.lines[0].file
    rows = annotated(session, path, f"x = 1\n{TEXT}\n" * 9)
    assert rows
    found = _Page(render_html(session, TEXT + path, rows))
    assert not {"img", "script"} & set(found.elements)
    assert not {name for name in found.attributes if name.startswith("on") or name == "src"}
    assert found.policy == "default-src 'none'; style-src 'unsafe-inline'"


@pytest.mark.parametrize(
    "command", [["report"], ["compare", "s.json"], ["compare", "--output-format", "markdown", "s.json"]]
)
def test_a_session_drives_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text(json.dumps(_poisoned(to_json(a_session()))), encoding="utf-8")
    assert main([*command, "s.json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert [line for line in out.split("\n") if clean(line) != line] == []
    assert "markdown" not in command or not re.search(r"(?<!\\)<img", re.sub(r"`[^`]*`", "", out))


@pytest.mark.parametrize("command", [["report"], ["compare", "s.json"]])
def test_a_session_commands_no_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text(json.dumps(_poisoned(to_json(a_session()))), encoding="utf-8")
    said = []
    for runner in ("", "true"):
        monkeypatch.setenv("GITHUB_ACTIONS", runner)
        assert main([*command, "s.json"]) == 0
        said.append(capsys.readouterr().out.splitlines())
    (first, *lines, last) = said[1]
    assert lines == said[0]
    assert first.startswith("::stop-commands::")
    assert last == f"::{first.rpartition('::')[2]}::"
    assert main([*command, "--output-format", "json", "s.json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_a_code_is_quoted_where_a_command_is_given_to_paste() -> None:
    session = a_session()
    rows = tuple(replace(row, finding={**row.finding, "code": "$(touch x)"}) for row in session.findings)
    said = next_command(replace(session, findings=rows))
    assert said is not None
    assert said.command == "memlint rule '$(touch x)'"


@pytest.mark.parametrize(
    ("key", "entry"), [("phases", {"x": 1}), ("kinds", {"x": 1}), ("ribbon", [[0, "x"]])]
)
def test_an_unknown_phase_or_kind_is_refused(key: str, entry: object) -> None:
    document = json.loads(json.dumps(to_json(a_session())))
    document["arms"][0] |= {key: entry}
    with pytest.raises(SourceError, match="damaged session: 'x' is no"):
        from_json(json.dumps(document), "s.json")


@pytest.mark.parametrize(
    "change",
    [
        {"severity": "fatal"},
        {"severity": ["error"]},
        {"column": "1"},
        {"fingerprint": None},
        {"notes": [{"kind": "label"}]},
        {"notes": [{"kind": "label", "text": "here", "line": 1}]},
        {"secondary": [{"code": "MEM101", "path": "a.py", "line": 1, "label": "here"}]},
        {"fix": {"title": "do", "edits": []}},
        {"alternatives": [{"applicability": "safe", "title": "do", "caution": "", "edits": [{"text": ""}]}]},
    ],
)
def test_a_finding_that_no_report_can_show_is_refused(change: dict[str, object]) -> None:
    document = json.loads(json.dumps(to_json(a_session())))
    document["findings"][0] |= change
    with pytest.raises(SourceError, match="damaged session: "):
        from_json(json.dumps(document), "s.json")
