"""`--fix` and `--diff` as their users meet them: what is written where, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import CLEAN, FIXED, LEAK, ONLY, Run


def test_fix_writes_and_a_second_run_changes_nothing(run: Run, leak: Path) -> None:
    answer = run("check", "train.py", "--fix")
    assert (answer.code, answer.err) == (0, "memlint: fixed 1 finding in 1 file\n")
    assert leak.read_text(encoding="utf-8") == FIXED
    status = leak.stat()
    assert run("check", "train.py", "--fix", "--exit-non-zero-on-fix").code == 0
    assert leak.stat().st_mtime_ns == status.st_mtime_ns
    leak.write_text(LEAK, encoding="utf-8")
    assert run("check", "train.py", "--fix", "--exit-non-zero-on-fix").code == 1


def test_diff_shows_and_writes_nothing(run: Run, leak: Path) -> None:
    answer = run("check", "train.py", "--diff")
    assert answer.code == 1
    assert answer.out.startswith("--- a/train.py\n+++ b/train.py\n")
    assert "-    total += loss\n+    total += loss.detach()\n" in answer.out
    assert answer.err == "memlint: would fix 1 finding in 1 file\n"
    assert leak.read_text(encoding="utf-8") == LEAK
    assert run("check", "train.py", "--diff", "--fix").code == 1
    assert leak.read_text(encoding="utf-8") == LEAK
    leak.write_text(FIXED, encoding="utf-8")
    nothing = run("check", "train.py", "--diff")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "memlint: would fix nothing\n")
    assert run("check", "train.py", "--diff", "-q").err == ""


def test_diff_says_what_only_unsafe_fixes_would_change(run: Run, leak: Path) -> None:
    printed = LEAK + "print(total)\n"
    leak.write_text(printed, encoding="utf-8")
    answer = run("check", "train.py", *ONLY, "--diff")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "memlint: would fix nothing (1 fixable with --unsafe-fixes)\n"
    leak.write_text(
        printed.replace("import torch\n", "import torch  # memlint: ignore[MEM201]\n"), encoding="utf-8"
    )
    answer = run("check", "train.py", "--select", "MEM101,MEM201,MEM002", "--diff")
    assert answer.err == "memlint: would fix 1 finding in 1 file (1 more with --unsafe-fixes)\n"
    told = run("check", "train.py", *ONLY).out
    assert "unsafe fix: what is printed changes" in told


@pytest.mark.parametrize(
    ("use", "fix"),
    [
        ("print(float(total))", ".item()"),
        ("print((total / 9).item())", ".detach()"),
        ("mean = total / 9\nprint(mean.cpu())", ".detach()"),
    ],
)
def test_a_sum_whose_mean_is_used_as_a_tensor_stays_one(run: Run, leak: Path, use: str, fix: str) -> None:
    leak.write_text(f"{LEAK}{use}\n", encoding="utf-8")
    answer = run("check", "train.py", *ONLY, "--unsafe-fixes", "--diff")
    assert f"+    total += loss{fix}\n" in answer.out


def test_a_diff_goes_to_a_file_too(run: Run, leak: Path) -> None:
    shown = run("check", "train.py", *ONLY, "--diff").out
    assert run("check", "train.py", *ONLY, "--diff", "--output-file", "fix.patch").out == ""
    assert leak.with_name("fix.patch").read_text(encoding="utf-8") == shown


def test_unused_suppressions_are_fixed_but_only_those(run: Run, leak: Path) -> None:
    leak.write_text(
        CLEAN.replace("loss.item()", "loss.item()  # memlint: ignore[MEM101] old").replace(
            "import torch\n", "import torch  # keep me\n"
        ),
        encoding="utf-8",
    )
    assert "MEM002" in run("check", "train.py").out
    assert run("check", "train.py", *ONLY).code == 0
    assert run("check", "train.py", "--fix").code == 0
    assert leak.read_text(encoding="utf-8") == CLEAN.replace("import torch\n", "import torch  # keep me\n")


def test_a_suppressed_finding_is_neither_shown_nor_fixed(run: Run, leak: Path) -> None:
    text = LEAK.replace("total += loss", "total += loss  # memlint: ignore[MEM101] short run")
    leak.write_text(text, encoding="utf-8")
    assert run("check", "train.py", "--fix").code == 0
    assert leak.read_text(encoding="utf-8") == text


def test_stdin_is_checked_and_fixed_to_stdout(run: Run, tmp_path: Path) -> None:
    answer = run("check", "-", stdin=LEAK.encode())
    assert answer.code == 1
    assert answer.out.startswith("<stdin>:11:5: warning[MEM101]")
    named = run("check", "--stdin-filename", "a/b.py", stdin=LEAK.encode())
    assert named.out.startswith("a/b.py:11:5:")
    crlf = b"\xef\xbb\xbf" + LEAK.replace("\n", "\r\n").encode()
    fixed = run("check", "-", "--fix", stdin=crlf)
    assert fixed.out.encode() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert "All checks passed" in fixed.err
    assert "fixed 1 finding" in fixed.err
    assert run("check", "-", "--fix", stdin=b"x = (\n").out == "x = (\n"
    assert list(tmp_path.iterdir()) == []


def test_fix_only_says_nothing_of_what_is_left(run: Run, leak: Path) -> None:
    leak.write_text(LEAK.replace("    optimizer.zero_grad()\n", ""), encoding="utf-8")
    answer = run("check", "train.py", "--fix-only")
    assert (answer.code, answer.out, answer.err) == (0, "", "memlint: fixed 1 finding in 1 file\n")
    assert run("check", "train.py").code == 1
    again = run("check", "train.py", "--fix-only", "--exit-non-zero-on-fix")
    assert (again.code, again.out, again.err) == (0, "", "")
    leak.write_text(LEAK, encoding="utf-8")
    assert run("check", "train.py", "--fix-only", "--exit-non-zero-on-fix").code == 1
