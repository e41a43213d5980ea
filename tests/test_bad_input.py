"""No input crashes memlint: one line that says what to do, the right exit code, nothing written."""

from __future__ import annotations

import ast
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlint import catalogue
from memlint.__main__ import main
from memlint.analysis.interpret import machine, script
from memlint.analysis.interpret.limits import FUEL
from memlint.catalogue import ALWAYS
from memlint.commands.batch import checks_for
from memlint.config import Settings
from memlint.engine import check as engine
from memlint.engine.check import Checks
from memlint.errors import SourceError
from memlint.project import gate
from memlint.project.import_statements import files_by_imported_word, files_with_method, imports_of
from memlint.source import files

LEAK = """\
import torch

model = torch.nn.Linear(4, 1)
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    loss.backward()
    total += loss
"""
ONLY = ["--select", "MEM101"]
CHECKS = Checks(frozenset({"MEM001", "MEM002", "MEM003", "MEM004", "MEM101"}), frozenset(), "train.py")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_missing_path_is_2_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", "nowhere.py", "train.py", *ONLY]) == 2
    out, err = capsys.readouterr()
    assert err == "memlint: error: nowhere.py: no such file or folder (check the spelling)\n"
    assert "train.py:8:5" in out
    assert main(["check", "nowhere.py"]) == 2
    assert capsys.readouterr().out == ""


def test_a_folder_without_python_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "notes.txt").write_text("import torch", encoding="utf-8")
    assert main(["check", "data"]) == 0
    err = capsys.readouterr().err
    assert err == "memlint: warning: no Python files or notebooks in data (give a file or another folder)\n"


def test_an_unreadable_file_is_2_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", "loop.py", "train.py", *ONLY]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("memlint: error: loop.py: cannot be read: ")
    assert err.count("\n") == 1
    assert "train.py:8:5" in out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_file_is_refused_and_never_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo("pipe.py")
    Path("train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", "pipe.py"]) == 2
    assert "pipe.py: is not a regular file (to check a stream: " in capsys.readouterr().err
    reader = os.open("pipe.py", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["check", "train.py", *ONLY, "--output-file", "pipe.py"]) == 1
    assert os.read(reader, 11) == b"train.py:8:"
    os.close(reader)
    assert not Path("pipe.py").is_file()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_file_that_has_become_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Between the search for files and their check, another program puts a pipe in the place of one."""
    for name in ("train.py", "other.py"):
        (tmp_path / name).write_text(LEAK, encoding="utf-8")
    found = files.discover

    def discover(*given: Any, **more: Any) -> files.Discovery:
        listed = found(*given, **more)
        os.unlink("other.py")
        os.mkfifo("other.py")
        return listed

    monkeypatch.setattr(files, "discover", discover)
    assert main(["check", ".", *ONLY, "-j1"]) == 2
    out, err = capsys.readouterr()
    assert err == "memlint: error: other.py: is not a regular file\n"
    assert "train.py:8:5" in out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_an_import_that_leads_to_a_pipe_does_not_wait_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "train.py").write_text("from pipe import f\n" + LEAK, encoding="utf-8")
    command = [sys.executable, "-m", "memlint", "check", "train.py", *ONLY]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout[:12]) == (1, "train.py:9:5")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_beside_a_file_whose_callers_are_looked_for_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    os.mkfifo(tmp_path / "pipe.py")
    assert files_by_imported_word(tmp_path) == {}
    assert files_with_method(tmp_path, "train") == []
    assert imports_of(tmp_path / "pipe.py") == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_permissions_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.py").write_text(LEAK, encoding="utf-8")
    (tmp_path / "secret.py").chmod(0)
    assert main(["check", "secret.py"]) == 2
    assert "Permission denied (check its permissions)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "path", [f"{'a' * 300}/train.py", f"{'a/' * 5000}train.py", "train.py/x.py", "a\0b.py"]
)
def test_a_name_that_no_system_takes_is_no_file(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", path, "train.py", *ONLY]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "no such file or folder (check the spelling)" in err
    assert "train.py:8:5" in out


def test_settings_on_the_command_line_may_be_longer_than_a_file_name(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    several = f"exclude = [{', '.join(repr(f'folder{n}') for n in range(600))}]"
    assert main(["check", "train.py", *ONLY, "--config", several]) == 1


def test_a_folder_in_one_that_may_not_be_entered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a user who is not root sees, played to root: before Python 3.12, `Path.glob` raises there."""

    def refuse(folder: Path, pattern: str) -> list[Path]:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "glob", refuse)
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", "train.py", *ONLY]) == 1


@pytest.mark.skipif(os.name == "nt", reason="paths are shorter there")
def test_folders_nested_without_end_are_searched(capsys: pytest.CaptureFixture[str]) -> None:
    here = Path.cwd()
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    Path("train.py").write_text(LEAK, encoding="utf-8")
    os.chdir(here)
    try:
        assert main(["check", ".", *ONLY, "--output-format", "concise"]) == 1
        assert capsys.readouterr().out.startswith("d/d/d/")
    finally:  # shutil.rmtree calls itself for every level, too
        for _ in range(1200):
            os.chdir("d")
        Path("train.py").unlink()
        for _ in range(1200):
            os.chdir("..")
            os.rmdir("d")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_2_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").mkdir(mode=0)
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    try:
        assert main(["check", ".", *ONLY]) == 2
        out, err = capsys.readouterr()
        assert err == "memlint: error: ./secret: cannot be read: Permission denied (check its permissions)\n"
        assert "train.py:8:5" in out
        assert main(["check", "secret/train.py"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    finally:
        (tmp_path / "secret").chmod(0o700)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("import torch\nx = (\n", 2, "'(' was never closed"),
        ("import torch\nprint 'x'\n", 2, "Missing parentheses"),
        ("import torch\nx = 1\0\n", 2, "null bytes"),
        ("import torch\n  x = 1\n", 2, "unexpected indent"),
        ("x = " + "(" * 2000 + ")" * 2000, 1, "too many nested parentheses"),
        ("x = (1\n" + "+ 1" * 20_000, 1, "'(' was never closed"),
    ],
)
def test_a_syntax_error_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, message: str
) -> None:
    (tmp_path / "bad.py").write_text(text, encoding="utf-8")
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    arguments = ["check", "bad.py", "train.py", *ONLY, "--output-format", "concise"]
    assert main(arguments) == 1
    broken, leak = capsys.readouterr().out.splitlines()
    assert broken.startswith(f"bad.py:{line}:") or "null" in message
    assert "MEM001 syntax error: " in broken
    assert message in broken
    assert leak.startswith("train.py:8:5: warning: MEM101")
    assert main([*arguments, "--fix", "--ignore", "MEM001"]) == 0
    assert (tmp_path / "bad.py").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\xb0", "bad.py:1: byte 0xb0 is not valid utf-8 (save the file as UTF-8"),
        (b"x = 1\n\n\ny = '\xff'\n", "bad.py:4: byte 0xff is not valid utf-8 (save the file as UTF-8"),
        (b"x = '\xff'\n", "bad.py:1: byte 0xff is not valid utf-8 (save the file as UTF-8"),
        (b"# coding: klingon\nx = 1\n", "bad.py: unknown encoding: klingon (save the file as UTF-8)"),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            "bad.py: its byte order mark says UTF-8, and its coding comment",
        ),
    ],
)
def test_undecodable_bytes_are_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, words: str
) -> None:
    (tmp_path / "bad.py").write_bytes(data)
    assert main(["check", "bad.py", "--fix"]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert (tmp_path / "bad.py").read_bytes() == data


@pytest.mark.parametrize("text", ["", "\n", "\f", "# only a comment", "\ufeff", "'''torch'''"])
def test_files_with_nothing_in_them_are_clean(tmp_path: Path, text: str) -> None:
    (tmp_path / "empty.py").write_text(text, encoding="utf-8")
    assert main(["check", "empty.py", "--fix"]) == 0
    assert (tmp_path / "empty.py").read_text(encoding="utf-8") == text


def test_a_very_long_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filler = "".join(f"value_{n} = {n}\n" for n in range(50_000))
    (tmp_path / "long.py").write_text(filler + LEAK, encoding="utf-8")
    assert main(["check", "long.py", *ONLY, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("long.py:50008:5: warning: MEM101")


def test_a_function_below_a_long_top_level_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    function = LEAK[LEAK.index("total") :].replace("\n", "\n    ").rstrip()
    filler = "".join(f"value_{n} = {n}\n" for n in range(FUEL))
    text = f"import torch\n\n{filler}\n\ndef train(model):\n    {function}\n"
    (tmp_path / "long.py").write_text(text, encoding="utf-8")
    assert main(["check", "long.py", *ONLY, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("long.py:25010:9: warning: MEM101")


def test_functions_that_are_not_looked_at_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    function = LEAK[LEAK.index("total") :].replace("\n", "\n    ").rstrip()
    functions = "".join(f"\n\ndef train_{n}(model):\n    {function}\n" for n in range(20))
    (tmp_path / "long.py").write_text(f"import torch\n{functions}", encoding="utf-8")
    monkeypatch.setattr(script, "LEAST_FUEL", -100)
    monkeypatch.setattr(script, "SPARE_FUEL", 100 - FUEL)
    assert main(["check", "long.py", *ONLY, "--output-format", "concise"]) == 2
    out, err = capsys.readouterr()
    left = 20 - out.count("MEM101")
    assert 0 < left < 20
    told = f"{left} functions, `train_{20 - left}` first, were not looked at"
    assert f"error: MEM004 the file is too long to be followed to its end: {told}" in out
    assert err == f"memlint: error: long.py: too long: {left} functions were not looked at\n"


@pytest.mark.parametrize("joined", ["1 + ", "-", "not "])
def test_deep_nesting_is_said_and_never_kills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], joined: str
) -> None:
    (tmp_path / "deep.py").write_text(f"import torch\nx = {joined * 50_000}1\n", encoding="utf-8")
    assert main(["check", "deep.py", "--output-format", "concise"]) == 2
    out, err = capsys.readouterr()
    assert "MEM004 the code is nested too deeply for the parser, so nothing in the file was checked" in out
    assert err == "memlint: error: deep.py: nested too deeply for the parser\n"


@pytest.mark.parametrize("name", ["meta\\x1", "meta\\N{no such letter}", "meta\0"])
def test_a_string_that_has_no_value_is_a_syntax_error(name: str) -> None:
    """The parser of libcst takes them, and rules ask for the value."""
    text = f"import torch\nx = model.load_state_dict(torch.load('{name}'))\n{LEAK}"
    codes = frozenset(rule.code for rule in catalogue.load())
    report = engine.check(text, "train.py", Checks(codes, codes, "train.py"))
    assert [finding.code for finding in report.findings] == ["MEM001"]
    assert not report.failed


def test_a_file_is_parsed_as_deeply_after_others_as_alone() -> None:
    """The analysis raises the recursion limit of its process, and with it the depth of Python's parser."""
    text = f"import torch\nx = {'1 + ' * 6000}1\n{LEAK}"
    before, found = sys.getrecursionlimit(), []
    for limit in (1500, 12_000):
        sys.setrecursionlimit(limit)
        try:
            found.append(engine.check(text, "deep.py", CHECKS).findings)
        finally:
            sys.setrecursionlimit(before)
    assert found[0] == found[1]


def test_a_script_too_long_to_be_followed_says_so_and_is_asked_what_takes_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = "".join(LEAK.partition("for")[1:])
    for name in ("train.py", "long.py"):
        (tmp_path / name).write_text(f"{LEAK}{loop * 20}torch.clear_cache()\n", encoding="utf-8")
    options = ["--select", "MEM101,MEM902", "--output-format", "concise"]
    assert main(["check", "train.py", *options]) == 1
    assert {line.split()[2] for line in capsys.readouterr().out.splitlines()} == {"MEM101", "MEM902"}
    monkeypatch.setattr(machine, "MOST_LINKS", 100)
    assert main(["check", "long.py", *options]) == 2
    out, err = capsys.readouterr()
    assert [line.split()[2] for line in out.splitlines()] == ["MEM004", "MEM902"]
    assert "MEM004 the code is too long to be followed, so no rule that follows values was asked" in out
    assert err == "memlint: error: long.py: too long to be run\n"


def test_a_crash_in_a_detector_is_a_finding_and_the_other_rules_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlint.detect.retention import missing_zero_grad

    def broken(model: object, rule: object) -> None:
        raise LookupError("lost")

    monkeypatch.setattr(missing_zero_grad, "detect", broken)
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    arguments = ["check", "train.py", "--select", "MEM101,MEM121", "--output-format", "concise"]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert "train.py:1:1: error: MEM004 memlint failed in MEM121: LookupError: lost" in out
    assert "train.py:8:5: warning: MEM101" in out
    assert err == "memlint: error: train.py: internal error in MEM121: LookupError: lost\n"
    assert main([*arguments, "-v", "--fix"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == LEAK
    assert main([*arguments, "--ignore", "MEM004"]) == 2


def test_malformed_configuration_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    for text, words in (("[tool.memlint]\nselct = []", "selct"), ("[tool.memlint\n", "malformed TOML")):
        # Another folder for each: settings are read once per folder and process.
        folder = tmp_path / words.partition(" ")[0]
        folder.mkdir()
        (folder / "pyproject.toml").write_text(text, encoding="utf-8")
        (folder / "train.py").write_text(LEAK, encoding="utf-8")
        before = snapshot(tmp_path)
        assert main(["check", str(folder), "--fix"]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert words in err
        assert snapshot(tmp_path) == before


# --- writing


@pytest.mark.parametrize(
    ("encoding", "bom", "newline", "end"),
    [
        ("utf-8", b"\xef\xbb\xbf", "\n", "\n"),
        ("utf-8", b"", "\r\n", "\r\n"),
        ("latin-1", b"", "\n", ""),
        ("cp1252", b"", "\r\n", "\r\n\f"),
    ],
)
def test_encoding_newlines_and_mode_survive_a_fix(
    tmp_path: Path, encoding: str, bom: bytes, newline: str, end: str
) -> None:
    text = f"# coding: {encoding}\nname = 'é'\n{LEAK}".rstrip("\n").replace("\n", newline) + end
    file = tmp_path / "train.py"
    file.write_bytes(bom + text.encode(encoding))
    file.chmod(0o751)
    assert main(["check", "train.py", "--fix", *ONLY]) == 0
    wanted = text.replace("total += loss", "total += loss.detach()")
    assert file.read_bytes() == bom + wanted.encode(encoding)
    assert file.stat().st_mode & 0o777 == 0o751
    assert [p.name for p in tmp_path.iterdir()] == ["train.py"]


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("unicode_escape", b""),
        ("raw_unicode_escape", b'x = "\\u0041"\n'),
        ("cp932", b'x = "\x87\x90\xfa\x5b"\n'),
        ("iso-2022-jp", b'x = "\x1b$B4A\x1b(B\x1b(B"\n'),
        ("utf-7", b'x = "+AEE-"\n'),
    ],
)
def test_a_fix_that_would_change_other_lines_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str, line: bytes
) -> None:
    """As `unicode_escape` has no line ends, the whole file became a part of its coding comment."""
    written = LEAK.replace("+= loss", "= total - (-loss)").encode()
    data = f"# coding: {encoding}\n".encode() + line + written
    (tmp_path / "train.py").write_bytes(data)
    assert main(["check", "train.py", *ONLY]) == 1
    assert main(["check", "train.py", *ONLY, "--fix"]) == 2
    assert "other lines would get other bytes, so it was not fixed" in capsys.readouterr().err
    assert (tmp_path / "train.py").read_bytes() == data


@pytest.mark.parametrize(
    ("encoding", "line"), [("shift_jis", b'x = "\x83\x5c"\n'), ("utf-7", b""), ("idna", b"")]
)
def test_a_fix_leaves_the_bytes_of_other_lines(tmp_path: Path, encoding: str, line: bytes) -> None:
    written = LEAK if encoding != "utf-7" else LEAK.replace("+= loss", "= total - (-loss)")
    data = f"# coding: {encoding}\n".encode() + line + written.encode()
    (tmp_path / "train.py").write_bytes(data)
    assert main(["check", "train.py", *ONLY, "--fix"]) == 0
    old, new = data.splitlines(), (tmp_path / "train.py").read_bytes().splitlines()
    assert [before for before, after in zip(old, new, strict=True) if before != after] == old[-1:]


@pytest.mark.parametrize("encoding", ["rot13", "base64", "zlib", "punycode", "undefined"])
def test_a_codec_that_is_none_for_text_is_2(encoding: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.py").write_text(f"# coding: {encoding}\n{LEAK}", encoding="utf-8")
    assert main(["check", "train.py", *ONLY]) == 2
    expected = f"memlint: error: train.py: cannot be read as {encoding} (save the file as UTF-8)\n"
    assert capsys.readouterr().err == expected


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes")
def test_a_fix_keeps_what_the_system_keeps_about_a_file(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(LEAK, encoding="utf-8")
    try:
        os.setxattr(script, "user.note", b"mine")
        # A list that lets user 7 write: without it, the mode would let the whole group.
        rights = ((0x01, 6, -1), (0x02, 6, 7), (0x04, 4, -1), (0x10, 6, -1), (0x20, 4, -1))
        rows = b"".join(struct.pack("<HHi", *row) for row in rights)
        os.setxattr(script, "system.posix_acl_access", struct.pack("<I", 2) + rows)
    except OSError:
        pytest.skip("the file system has none")
    kept = {name: os.getxattr(script, name) for name in os.listxattr(script)}
    assert main(["check", "train.py", *ONLY, "--fix"]) == 0
    assert {name: os.getxattr(script, name) for name in os.listxattr(script)} == kept


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "train.py").write_text(LEAK, encoding="utf-8")
    (tmp_path / "link.py").symlink_to("real/train.py")
    assert main(["check", "link.py", "--fix", *ONLY]) == 0
    assert (tmp_path / "link.py").is_symlink()
    assert "loss.detach()" in (tmp_path / "real" / "train.py").read_text(encoding="utf-8")


def test_a_read_only_file_is_2_and_the_others_are_fixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(LEAK, encoding="utf-8")
    (tmp_path / "a.py").chmod(0o444)
    assert main(["check", "a.py", "b.py", "--fix", *ONLY]) == 2
    out, err = capsys.readouterr()
    assert "a.py: is read-only, so it was not fixed (make it writable: chmod u+w)" in err
    assert "a.py:8:5" in out
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == LEAK
    assert "loss.detach()" in (tmp_path / "b.py").read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_2_and_the_others_are_fixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "closed").mkdir()
    for name in ("closed/a.py", "b.py"):
        (tmp_path / name).write_text(LEAK, encoding="utf-8")
    (tmp_path / "closed").chmod(0o555)
    try:
        assert main(["check", ".", "--fix", *ONLY]) == 2
        assert snapshot(tmp_path / "closed") == {str(tmp_path / "closed" / "a.py"): LEAK.encode()}
    finally:
        (tmp_path / "closed").chmod(0o755)
    err = capsys.readouterr().err
    assert "closed/a.py: cannot be written: Permission denied (the old content is intact)" in err
    assert "loss.detach()" in (tmp_path / "b.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "train.py").write_text(LEAK, encoding="utf-8")
    monkeypatch.setattr(os, step, full)
    assert main(["check", "train.py", "--fix", *ONLY]) == 2
    assert "No space left on device (the old content is intact)" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["train.py"]
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == LEAK


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(b"new")
    with pytest.raises(SourceError, match="changed by another program"):
        files.write("train.py", b"fixed", b"old")
    assert (tmp_path / "train.py").read_bytes() == b"new"


# --- anything at all


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_no_bytes_crash_it(data: bytes) -> None:
    Path("any.py").write_bytes(b"import torch\n" + data)
    assert main(["check", "any.py", "-q"]) in (0, 1, 2)


@settings(max_examples=60)
@given(st.integers(0, len(LEAK)), st.text(max_size=8))
@example(at=0, inserted="\U00011f02")
def test_no_mutilated_script_crashes_it(at: int, inserted: str) -> None:
    for text in (LEAK[:at] + inserted + LEAK[at:], LEAK[:at] + inserted):
        report = engine.check(text, "train.py", CHECKS)
        assert report.failed == ""


def test_the_gates_hide_no_finding() -> None:
    checks = checks_for("train.py", Settings(Path.cwd()))
    assert checks.codes >= ALWAYS
    (finding,) = engine.check(LEAK, "train.py", CHECKS).findings
    assert finding.code == "MEM101"
    assert gate.mentions_framework(LEAK.encode())
    assert gate.may_train("from helpers import *\nfor x in y:\n    total += LOSS(x)\n")
    assert not gate.may_train("import os\nfor x in y:\n    print(x)\n")
    remark = "# backward compatible\nfor x in y:\n    total += f(x)\n"
    assert not gate.speaks_of_training(remark, gate.vocabulary(ast.parse(remark)))
    assert not gate.is_unrelated(remark.encode())
    assert gate.is_unrelated(b"import os\nprint(os)\n")
    assert not gate.is_unrelated(b"x = (\n")
    assert not gate.is_unrelated(b"x = 1  # noqa: MEM101\n")


def test_the_vocabulary_of_a_script() -> None:
    text = (
        "import a.b as c\nfrom d.e import f\nasync def g(h, *, i=1):\n    async for j in k.l(m=2): n += o\n"
    )
    words = gate.vocabulary(ast.parse(text + "class P(Q): pass\nwith r: [s for s in t]\nwhile u: 'v'\n"))
    assert words >= set("abcdefghijklmnorst") | {"P", "Q", "u", "for", "augassign", "with", "while"}
    assert "v" not in words
    assert gate.passes([{"a", "z"}, {"b"}], words)
    assert not gate.passes([{"a"}, {"z"}], words)
    assert gate.passes([{"z"}], None)
    assert gate.passes([], words)
