"""The command line as its users meet it: exit codes, options, which files, what is shown."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memlint import __version__
from memlint.source import files
from tests.command import CLEAN, LEAK, ONLY, Run, process

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
    assert (to_file.code, to_file.err) == (1, "")
    assert to_file.out == run("check", "train.py").out
    assert (leak.parent / "report.json").read_text(encoding="utf-8") == answer.out
    assert sorted(p.name for p in leak.parent.iterdir()) == ["report.json", "train.py"]
    assert run("check", "train.py", "--output-file", "no/such/folder.txt").code == 2


def test_concise_is_nothing_but_lines(run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLINT_OUTPUT_FORMAT", "concise")
    (line,) = run("check", "train.py").out.splitlines()
    assert line.startswith("train.py:11:5: warning: MEM101 [*] `total` keeps")
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
    assert escape not in run("check", "train.py", "--diff").out
    assert escape in run("check", "train.py", "--color", "always").out
    assert escape in run("check", "train.py", "--diff", "--color", "always").out


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


def test_helpers_of_a_folder_with_torch_are_checked_though_they_mention_none(run: Run, leak: Path) -> None:
    helper = """
def fit(model, optimizer, data):
    for x in data:
        model(x).sum().backward()
        optimizer.step()
"""
    (leak.parent / "engine.py").write_text(helper, encoding="utf-8")
    script = """
import torch
from engine import fit

net = torch.nn.Linear(2, 1)
fit(net, torch.optim.SGD(net.parameters()), torch.rand(9, 3, 2))
"""
    leak.write_text(script, encoding="utf-8")
    assert "engine.py:4:9: error: MEM121" in run("check", "--output-format", "concise").out
    leak.unlink()
    assert "skipped (no torch or tensorflow)" in run("check").out


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
