"""Reports kept from one run to the next: the same output, and made again when what they depend on changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlint.commands import batch
from memlint.config import FORMATS
from memlint.engine import cache
from memlint.engine import check as engine
from memlint.engine.cache import FOLDER

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
STANDING_ALONE = ("frameworks/keras_fit.py", "notebooks/spirals.ipynb")
LEAK = """
import torch

net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for x in torch.randn(8, 2, 4):
    optimizer.zero_grad()
    loss = net(x).mean()
    loss.backward()
    optimizer.step()
    total += net(x).mean()
"""


def check(folder: Path, *options: str) -> tuple[int, str, str]:
    """A run of `memlint check` in a process of its own."""
    command = [sys.executable, "-m", "memlint", "check", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of several files that import one another, and of scripts that stand alone."""
    folder = tmp_path / "project"
    shutil.copytree(FIXTURES / "project", folder)
    for name in STANDING_ALONE:
        (folder / name).parent.mkdir()
        shutil.copy(FIXTURES / name, folder / name)
    (folder / "pyproject.toml").touch()
    return folder


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the files that are really checked, in this process."""
    names: list[str] = []
    real = engine.check

    def noted(text: str, path: str, *rest: object) -> object:
        names.append(Path(path).name)
        return real(text, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(batch.engine, "check", noted)
    yield names
    forget()


def forget() -> None:
    """Forget what this process knows of the disk, as a new process does."""
    engine.modules_below.cache_clear()
    engine._project.cache_clear()
    cache._memlint.cache_clear()


Again = Callable[..., list[str]]


@pytest.fixture
def again(
    project: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Again:
    """Check the project in this process as if it were a new one; gives the names of what was checked."""
    from memlint.__main__ import main

    monkeypatch.chdir(project)

    def run(*options: str) -> list[str]:
        forget()
        checked.clear()
        main(["check", "-j1", *options])
        capsys.readouterr()
        return list(checked)

    return run


@pytest.fixture
def said(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """What a run in this process prints about the project, as if it were a new one."""
    from memlint.__main__ import main

    monkeypatch.chdir(project)

    def run(*options: str) -> str:
        forget()
        main(["check", "-j1", *options])
        return capsys.readouterr().out

    return run


def test_a_second_run_says_the_same_to_the_byte(project: Path) -> None:
    first, second = check(project, "--advice"), check(project, "--advice")
    assert first == second == check(project, "--advice", "--no-cache")
    assert first[0] == 1


@pytest.mark.parametrize("look", FORMATS)
def test_every_format_is_rendered_from_what_was_kept(said: Callable[..., str], look: str) -> None:
    uncached = said("--no-cache", "--output-format", look)
    assert said("--output-format", look) == said("--output-format", look) == uncached


def test_a_second_run_does_not_import_the_parser(project: Path) -> None:
    run = "from memlint.__main__ import main; main(['check', '-q', '-j1'])"
    command = [sys.executable, "-c", f"import sys; {run}; sys.exit('libcst' in sys.modules)"]
    codes = [subprocess.run(command, cwd=project, capture_output=True).returncode for _ in range(2)]
    assert codes == [1, 0]


def test_what_has_not_changed_is_not_checked(again: Again) -> None:
    assert "train.py" in again()
    assert again() == []
    assert "train.py" in again("--no-cache")


def test_a_changed_file_is_checked(project: Path, again: Again) -> None:
    again()
    (project / "train.py").write_text((project / "train.py").read_text() + "\nprint('done')\n")
    # Whether what engine.py does is right is for its caller to say.
    assert again() == ["engine.py", "train.py"]


def test_a_changed_rule_file_makes_reports_anew(
    tmp_path_factory: pytest.TempPathFactory, again: Again, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tmp_path_factory.mktemp("rules")
    monkeypatch.setattr(cache, "rules_directory", lambda: rules)
    assert "train.py" in again()
    assert again() == []
    (rules / "MEM000-new.toml").write_text("")
    assert "train.py" in again()


def test_a_second_run_reads_no_rules(project: Path) -> None:
    run = "from memlint.__main__ import main; main(['check', '-q', '-j1', '--isolated'])"
    command = [sys.executable, "-c", f"import sys; {run}; sys.exit('tomli' in sys.modules)"]
    codes = [subprocess.run(command, cwd=project, capture_output=True).returncode for _ in range(2)]
    assert codes == [1, 0]


def test_other_rules_are_other_reports(again: Again) -> None:
    again()
    assert "train.py" in again("--ignore", "MEM101")
    assert again("--ignore", "MEM101") == again() == []


def test_another_memlint_checks_anew(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    again()
    monkeypatch.setattr(cache, "_files", lambda folder: iter([("rule.toml", os.stat(__file__))]))
    assert "train.py" in again()


def test_reports_follow_the_files_that_they_rest_on(project: Path, said: Callable[..., str]) -> None:
    """Whatever happens to any module of the project: what is kept never differs from what is true."""
    for name in STANDING_ALONE:
        (project / name).unlink()
    said()
    modules = sorted(path for part in ("*.py", "utils/*.py", "models/*.py") for path in project.glob(part))
    assert len(modules) == 6
    outputs = set[str]()
    for path in modules:
        text = path.read_text(encoding="utf-8")
        for changed in (None, "", text.replace("import ", "import json as _j, "), f"{text}\nx = (\n", text):
            if changed is None:
                path.unlink()
            else:
                path.write_text(changed, encoding="utf-8")
            now = said()
            assert now == said("--no-cache")
            outputs.add(now)
    assert len(outputs) > len(modules)


def test_a_helper_that_is_mended_mends_its_callers(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    helper = tmp_path / "steps.py"
    helper.write_text("def forward(net, x):\n    return net(x).mean()\n", encoding="utf-8")
    script = LEAK.replace("total += net(x).mean()", "total += forward(net, x)")
    (tmp_path / "train.py").write_text(f"from steps import forward\n{script}", encoding="utf-8")
    assert "MEM101" in check(tmp_path, "train.py")[1]
    helper.write_text("def forward(net, x):\n    return net(x).mean().item()\n", encoding="utf-8")
    assert check(tmp_path, "train.py")[0] == 0


def test_a_module_that_appears_is_seen(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    script = LEAK.replace("total += net(x).mean()", "total += forward(net, x)")
    (tmp_path / "train.py").write_text(f"from steps import forward\n{script}", encoding="utf-8")
    before = check(tmp_path, "train.py", "--output-format", "concise")
    (tmp_path / "steps.py").write_text("def forward(net, x):\n    return net(x).mean()\n", encoding="utf-8")
    after = check(tmp_path, "train.py", "--output-format", "concise")
    assert after == check(tmp_path, "train.py", "--output-format", "concise", "--no-cache") != before


def test_fixes_are_made_from_what_was_kept(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    script = tmp_path / "train.py"
    script.write_text(LEAK, encoding="utf-8")
    assert check(tmp_path)[0] == 1
    assert check(tmp_path, "--fix")[0] == 0
    assert ".item()" in script.read_text(encoding="utf-8") or ".detach()" in script.read_text(
        encoding="utf-8"
    )
    assert check(tmp_path)[0] == 0


def _as_folder(entry: Path) -> None:
    entry.unlink()
    (entry / "inner").mkdir(parents=True)


def _as_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


def _as_device(entry: Path) -> None:
    """As a repository can bring it along."""
    entry.unlink()
    entry.symlink_to("/dev/zero")


def _believable(entry: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what an entry says, with the hash that belongs to it."""
    document = json.loads(entry.read_bytes().partition(b"\n")[2])
    change(document)
    data = json.dumps(document).encode()
    entry.write_bytes(cache._digest(data) + b"\n" + data)


def _report(entry: Path) -> object:
    return json.loads(entry.read_bytes().partition(b"\n")[2])["report"]


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda entry: entry.write_bytes(b""),
    "no hash": lambda entry: entry.write_bytes(b"{}"),
    "cut": lambda entry: entry.write_bytes(entry.read_bytes()[:-1]),
    "a letter of a message": lambda entry: entry.write_bytes(entry.read_bytes().replace(b"total", b"tOtal")),
    "a folder": _as_folder,
    "nested": lambda entry: entry.write_bytes(cache._digest(b"[" * 99999) + b"\n" + b"[" * 99999),
    "null": lambda entry: entry.write_bytes(cache._digest(b"null") + b"\nnull"),
    "findings": lambda entry: _believable(entry, lambda known: known["report"].update(findings=[{}])),
    "dependencies": lambda entry: _believable(entry, lambda known: known["dependencies"].update(texts=7)),
}


if sys.platform != "win32":
    DAMAGE |= {"a pipe": _as_pipe, "a device": _as_device}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_entry_is_made_again(project: Path, again: Again, damage: Callable[[Path], object]) -> None:
    again()
    entries = {entry: _report(entry) for entry in (project / FOLDER).glob("*.json")}
    for entry in entries:
        damage(entry)
    assert "train.py" in again()
    assert {entry: _report(entry) for entry in entries} == entries
    assert not list((project / FOLDER).glob("*.tmp"))


def test_a_cache_on_a_full_disk_leaves_no_pieces(
    project: Path, again: Again, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        real(path, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", half)
        again()
    assert {path.name for path in (project / FOLDER).iterdir()} == {".gitignore", "CACHEDIR.TAG"}
    assert "train.py" in again()


def test_pieces_of_killed_runs_are_cleared_away(project: Path) -> None:
    check(project)
    old, new = project / FOLDER / "0123.77.tmp", project / FOLDER / "0123.78.tmp"
    for piece in (old, new):
        piece.write_bytes(b"{")
    os.utime(old, times=(0, 0))
    (project / "train.py").write_text(LEAK, encoding="utf-8")
    check(project)
    assert not old.exists()
    assert new.exists()  # its process may still write it


def test_a_script_without_a_project_stays_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    check(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]


def test_the_folder_keeps_out_of_the_way(project: Path) -> None:
    check(project)
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"
    assert (
        (project / FOLDER / "CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )
    assert FOLDER not in check(project, "--output-format", "concise")[1]


def test_where_nothing_can_be_written_nothing_is_kept(project: Path) -> None:
    (project / FOLDER).write_text("in the way", encoding="utf-8")
    assert check(project) == check(project, "--no-cache")


def test_no_cache_leaves_no_trace(project: Path) -> None:
    check(project, "--no-cache")
    assert not (project / FOLDER).exists()
