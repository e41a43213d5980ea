"""Coverage-guided fuzzing, for half a minute each; docs/reliability.md has longer runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz import sessions

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 30


@pytest.mark.parametrize("target", ["check", "session"])
def test_nothing_is_found(tmp_path: Path, target: str) -> None:
    pytest.importorskip("atheris", reason="atheris has wheels for Linux and CPython 3.11 to 3.13 only")
    command = [
        sys.executable,
        "-m",
        "benchmarks.fuzz",
        target,
        "--seconds",
        str(SECONDS),
        "--found",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    runs = re.search(r"Done (\d+) runs", done.stderr)
    assert runs is not None
    assert int(runs[1]) > 30
    assert list(tmp_path.iterdir()) == []


def test_a_harmful_page_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    from memlint.report.session import html
    from memlint.session_file import to_json
    from tests.runtime.test_session import a_session

    data = json.dumps(to_json(a_session())).encode()
    assert sessions.broken(data) == []
    page = html.render(a_session())
    monkeypatch.setattr(html, "render", lambda session: page.replace("</body>", "<img src=x></body>"))
    assert sessions.broken(data) == ["page: img", "page: img src"]
    assert sessions.broken(b"{") == []
