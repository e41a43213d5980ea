"""The command line as its users meet it: exit codes, streams, options, fixes, start-up."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint import __version__, files
from memlint.__main__ import main

LEAK = """\
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss
print(float(total))
"""
FIXED = LEAK.replace("total += loss", "total += loss.detach()")
CLEAN = LEAK.replace("total += loss", "total += loss.item()")
ONLY = ("--select", "MEM101")

Run = Callable[..., SimpleNamespace]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command line in `tmp_path` within this process; gives code, out and err."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "MEMLINT_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: bytes = b"") -> SimpleNamespace:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode())

    return call


@pytest.fixture
def leak(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_text(LEAK, encoding="utf-8")
    return file


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parent.parent)}
MEMLINT = [sys.executable, "-m", "memlint"]


def process(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    return subprocess.run([*MEMLINT, *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)


def modules_after(*arguments: str, cwd: Path) -> set[str]:
    """What is imported once the command line has run."""
    code = f"import sys; from memlint.__main__ import main; main({list(arguments)}); print(*sys.modules)"
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return set(answer.stdout.splitlines()[-1].split())


# --- exit codes and streams


def test_findings_are_1_and_clean_is_0(run: Run, leak: Path) -> None:
    found = run("check", "train.py")
    assert (found.code, found.err) == (1, "")
    assert found.out.startswith("train.py:11:5: warning[MEM101] `total` keeps")
    assert "1 finding (1 warning) in 1 file, 1 checked. 1 fixable with --fix." in found.out
    assert run("check", "train.py", "--exit-zero").code == 0
    leak.write_text(CLEAN, encoding="utf-8")
    clean = run("check", "train.py")
    assert (clean.code, clean.out, clean.err) == (0, "All checks passed: 1 file checked.\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chekc"], "did you mean `memlint check`?"),
        (["train.py"], "to check that path: memlint check train.py"),
        (["check", "--selct", "MEM101"], "unknown option `--selct` (did you mean `--select`?)"),
        (["check", "--select", "MEM777"], "unknown rule selector `MEM777`"),
        (["check", "--ignore", "loss-graph-accumulatoin"], "did you mean loss-graph-accumulation?"),
        (["check", "--extend-select", ""], "unknown rule selector ``"),
        (["check", "--torch-version", "new"], 'must be a version such as "2.1"'),
        (["check", "--output-format", "html"], "invalid choice: 'html'"),
        (["check", "-j", "0"], "must be a number from 1 on"),
        (["check", "--unsafe-fixes"], "add --fix or --diff"),
        (["check", "-", "train.py"], "`-` cannot be mixed"),
        (["check", "train.py", "--stdin-filename", "a.py"], "--stdin-filename goes with `-`"),
        (["check", "train.py", "--output-file", "no/report.txt"], "no/report.txt: cannot be written"),
        (["check", "--statistics", "--output-format", "json"], "add --output-format text"),
        (["check", ""], "a path is empty"),
        (["report", "a.json", "b.json"], "unexpected argument `b.json`"),
        (["replay"], "required: SCRIPT ("),
        (["--colour", "check"], "unknown option `--colour`"),
        (["rule"], "give a code or a name"),
        (["rule", "MEM777"], "unknown rule selector"),
    ],
)
def test_a_wrong_command_line_is_2_and_one_line(
    run: Run, leak: Path, arguments: list[str], words: str
) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("memlint: error: ")
    assert answer.err.count("\n") == 1
    assert words in answer.err


def test_paths_and_options_come_in_any_order(run: Run, leak: Path) -> None:
    for name in ("a.py", "-b.py"):
        leak.with_name(name).write_text(LEAK, encoding="utf-8")
    found = run("check", "train.py", *ONLY, "a.py", "--output-format", "concise", "--", "-b.py")
    assert [line.partition(":")[0] for line in found.out.splitlines()] == ["-b.py", "a.py", "train.py"]
    assert "MEM102" in run("rule", "MEM101", "--color", "never", "MEM102").out


def test_a_bug_is_2_and_asks_for_a_report(run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(files, "discover", broken)
    answer = run("check", "train.py")
    assert answer.code == 2
    assert "RuntimeError: out of order" in answer.err
    assert "please report" in answer.err


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"memlint {__version__}\n"
    help_text = run().out
    assert "check" in help_text
    assert "explain a rule" in help_text
    with pytest.raises(SystemExit) as left:
        run("check", "--help")
    assert left.value.code == 0


def test_rule_explains_and_lists(run: Run) -> None:
    page = run("rule", "mem101")
    assert page.code == 0
    assert page.out.startswith("MEM101 loss-graph-accumulation\n")
    assert run("rule", "loss-graph-accumulation").out == page.out
    listing = run("rule", "--all")
    assert "MEM001  error    syntax-error" in listing.out
    data = json.loads(run("rule", "MEM1", "--output-format", "json").out)
    assert {"MEM101", "MEM121"} <= {rule["code"] for rule in data}


# --- selection, severity, output


def test_selection_on_the_command_line(run: Run, leak: Path) -> None:
    assert run("check", "train.py", "--select", "MEM2,MEM4").code == 0
    assert run("check", "train.py", "--select", "loss-graph-accumulation").code == 1
    assert run("check", "train.py", "--ignore", "MEM1").code == 0
    assert run("check", "train.py", "--ignore", "MEM1", "--select", "MEM101").code == 1
    assert run("check", "train.py", "--select", "MEM2", "--extend-select", "MEM101").code == 1


def test_configuration_of_the_file_and_isolated(run: Run, leak: Path) -> None:
    (leak.parent / "pyproject.toml").write_text('[tool.memlint]\nignore = ["MEM101"]\n', encoding="utf-8")
    assert run("check").code == 0
    assert run("check", "--isolated").code == 1
    assert run("check", "--select", "ALL").code == 1
    (leak.parent / "pyproject.toml").write_text(
        '[tool.memlint]\nper-file-ignores = {"train.py" = ["MEM1"]}\n', encoding="utf-8"
    )
    # A changed file must be read again: settings live for one run only.
    assert process("check", cwd=leak.parent).returncode == 0


def test_json_goes_to_stdout_or_to_a_file(run: Run, leak: Path) -> None:
    answer = run("check", "train.py", "--output-format", "json")
    assert json.loads(answer.out)["findings"][0]["line"] == 11
    to_file = run("check", "train.py", "--output-format", "json", "--output-file", "report.json")
    assert (to_file.code, to_file.out, to_file.err) == (1, "", "")
    assert (leak.parent / "report.json").read_text(encoding="utf-8") == answer.out
    assert sorted(p.name for p in leak.parent.iterdir()) == ["report.json", "train.py"]
    assert run("check", "train.py", "--output-file", "no/such/folder.txt").code == 2


def test_concise_is_nothing_but_lines(run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLINT_OUTPUT_FORMAT", "concise")
    (line,) = run("check", "train.py").out.splitlines()
    assert line.startswith("train.py:11:5: MEM101 [*] `total` keeps")
    assert "count  fixable  rule" in run("check", "train.py", "--statistics").out
    assert run("check", "train.py", "--output-format", "text", "-q").out.endswith("memlint rule MEM101\n\n")


def test_colour_is_option_then_environment_then_terminal(
    run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    escape = "\x1b["
    assert escape not in run("check", "train.py").out
    assert escape in run("check", "train.py", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert escape in run("check", "train.py").out
    assert escape not in run("check", "train.py", "--color", "never").out
    assert escape not in run("check", "train.py", "--output-format", "json").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert escape not in run("check", "train.py").out
    assert escape in run("check", "train.py", "--color", "always").out


def test_fingerprints_survive_moves_and_working_folders(
    run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (leak.parent / "pyproject.toml").touch()

    def fingerprint(*arguments: str) -> str:
        report = json.loads(run("check", "--output-format", "json", *arguments).out)
        return str(report["findings"][0]["fingerprint"])

    first = fingerprint("train.py")
    assert fingerprint(str(leak)) == first
    leak.write_text(LEAK.replace("total = 0.0", "\n\n# more lines\ntotal = 0.0"), encoding="utf-8")
    assert fingerprint("train.py") == first
    (leak.parent / "sub").mkdir()
    monkeypatch.chdir(leak.parent / "sub")
    assert fingerprint("../train.py") == first


# --- which files


def test_folders_are_walked_and_files_without_torch_skipped(run: Run, leak: Path) -> None:
    (leak.parent / "plain.py").write_text("print(1)\n", encoding="utf-8")
    for hidden in (".venv/lib", "node_modules", "build"):
        (leak.parent / hidden).mkdir(parents=True)
        (leak.parent / hidden / "x.py").write_text(LEAK, encoding="utf-8")
    answer = run("check")
    assert "in 1 file, 1 checked, 1 skipped (no torch or tensorflow)" in answer.out
    assert run("check", "build").code == 1


def test_git_decides_what_is_ignored(run: Run, leak: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True, cwd=leak.parent)
    (leak.parent / ".gitignore").write_text("generated/\n", encoding="utf-8")
    for folder in ("generated", "sub"):
        (leak.parent / folder).mkdir()
        (leak.parent / folder / "x.py").write_text(LEAK, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "inner"], check=True, cwd=leak.parent)
    (leak.parent / "inner" / "y.py").write_text(LEAK, encoding="utf-8")
    lines = run("check", "--output-format", "concise").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["inner/y.py", "sub/x.py", "train.py"]
    assert run("check", "generated/x.py").code == 1
    assert run("check", "generated").code == 1


def test_excluded_files_are_checked_when_named_unless_forced(run: Run, leak: Path) -> None:
    (leak.parent / "pyproject.toml").write_text('[tool.memlint]\nexclude = ["train.py"]\n', encoding="utf-8")
    assert run("check").code == 0
    assert run("check", "train.py").code == 1
    assert run("check", "train.py", "--force-exclude").code == 0
    stdin = run("check", "-", "--stdin-filename", "train.py", "--force-exclude", "--fix", stdin=LEAK.encode())
    assert (stdin.code, stdin.out) == (0, LEAK)


def test_a_file_given_twice_is_reported_once(run: Run, leak: Path) -> None:
    assert run("check", "train.py", "./train.py", ".").out == run("check", "train.py").out


# --- fixing


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
    assert (run("check", "train.py", "--diff").code, run("check", "train.py", "--diff").out) == (0, "")


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


def test_many_processes_give_the_same_bytes(tmp_path: Path) -> None:
    for number in range(12):
        text = LEAK if number % 3 else "import torch\nx = (\n"
        (tmp_path / f"t{number}.py").write_text(text, encoding="utf-8")
    outputs = {
        (found.returncode, found.stdout, found.stderr)
        for jobs in (["-j1"], ["-j", "3"], [], ["--no-cache"])
        for found in [process("check", *jobs, cwd=tmp_path)]
    }
    assert len(outputs) == 1
    fixed = process("check", "--fix", "-j2", cwd=tmp_path)
    assert fixed.stderr == "memlint: fixed 8 findings in 8 files\n"
    assert (tmp_path / "t1.py").read_text(encoding="utf-8") == FIXED


# --- interruption and start-up


def test_ctrl_c_is_130_without_traceback_or_leftovers(
    run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    answer = run("check", "train.py", "--fix")
    assert (answer.code, answer.out, answer.err) == (130, "", "memlint: interrupted\n")
    assert [p.name for p in leak.parent.iterdir()] == ["train.py"]
    assert leak.read_text(encoding="utf-8") == LEAK


def test_ctrl_c_reaches_a_pool_of_processes(tmp_path: Path) -> None:
    lines = "".join(f"    x{n} = f(x{n}, y)\n" for n in range(300))
    for number in range(200):
        (tmp_path / f"t{number}.py").write_text(f"import torch\nfor y in z:\n{lines}", encoding="utf-8")
    command = [*MEMLINT, "check", "-j2"]
    child = subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(1)
    os.killpg(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (130, "memlint: interrupted\n")


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"t{number}.py").write_text(
            "import torch\n" + "x = 1  # memlint: ignore\n" * 200, encoding="utf-8"
        )
    child = subprocess.Popen(
        [*MEMLINT, "check"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written_is_2_and_one_line(leak: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [*MEMLINT, "check", "train.py", *ONLY]
        made = subprocess.run(
            command, cwd=leak.parent, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert made.returncode == 2
    assert made.stderr == "memlint: error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("- <&-", 2, "memlint: error: stdin is closed (pipe a script into `memlint check -`)\n"),
        ("train.py >&-", 1, ""),
        ("nowhere.py 2>&-", 2, ""),
    ],
)
def test_closed_streams_are_no_bug(leak: Path, closed: str, code: int, said: str) -> None:
    command = f"{sys.executable} -m memlint check {closed}"
    made = subprocess.run(
        command, shell=True, cwd=leak.parent, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert (made.returncode, made.stdout, made.stderr) == (code, "", said)


HEAVY = ("libcst", "rich", "importlib.metadata", "asyncio", "torch", "subprocess", "concurrent.futures")


@pytest.mark.parametrize(
    "arguments", [["--version"], ["check", "plain.py"], ["check", "plain.py", "--output-format", "json"]]
)
def test_nothing_heavy_is_imported_where_nothing_is_to_be_done(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "plain.py").write_text("import os\nfor x in os.environ:\n    print(x)\n", encoding="utf-8")
    loaded = modules_after(*arguments, cwd=tmp_path)
    assert "memlint.__main__" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_rich_and_torch_stay_out_of_a_plain_check(leak: Path) -> None:
    loaded = modules_after("check", "train.py", cwd=leak.parent)
    assert "libcst" in loaded
    assert loaded.isdisjoint({"rich", "torch", "libcst.matchers", "libcst.codemod", "asyncio"})


def test_the_readme_shows_what_memlint_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parent.parent
    monkeypatch.chdir(root)
    monkeypatch.setenv("NO_COLOR", "1")
    readme = (root / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("<!-- finding -->\n```text\n")[2].partition("```\n")[0]
    assert main(["check", "examples/train.py", "--isolated", "--select", "MEM101", "-q"]) == 1
    assert capsys.readouterr().out == shown + "\n"
    shown = readme.partition("<!-- notebook -->\n```text\n")[2].partition("```\n")[0]
    assert main(["check", "fixtures/notebooks", "--isolated", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out == shown
