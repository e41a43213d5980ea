"""The hooks, run by the real pre-commit from a clone of this tree; pre-commit needs a package index."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memlint import __version__
from memlint.addresses import REPOSITORY

ROOT = Path(__file__).parent.parent
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
"""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


README = (ROOT / "README.md").read_text("utf-8")
PRINTED = re.compile(r"<!-- hooks: (\w+) -->\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SNIPPETS = dict(PRINTED.findall(README))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which memlint's address is a repository of this tree, tagged with its version."""
    hooks = tmp_path_factory.mktemp("hooks") / "memlint"
    shutil.copytree(ROOT, hooks, ignore=LEFT_OUT)
    git(hooks, "init", "-q")
    git(hooks, "add", "-A")
    git(hooks, "commit", "-qm", "hooks")
    git(hooks, "tag", f"v{__version__}")
    instead = {"GIT_CONFIG_KEY_0": f"url.{hooks.as_uri()}.insteadOf", "GIT_CONFIG_VALUE_0": REPOSITORY}
    return {"GIT_CONFIG_COUNT": "1", **instead}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a leaking script and an excluded one."""
    project = tmp_path / "project"
    project.mkdir()
    if os.name == "posix":
        # What an installation makes; a source tree need not be installed to be tested.
        script = tmp_path / "memlint"
        lines = (f"#!{sys.executable}", "from memlint.__main__ import program", "raise SystemExit(program())")
        script.write_text("\n".join(lines), encoding="utf-8")
        script.chmod(0o755)
    git(project, "init", "-q")
    (project / "train.py").write_text(LEAK, encoding="utf-8")
    (project / "legacy.py").write_text(LEAK, encoding="utf-8")
    (project / "pyproject.toml").write_text('[tool.memlint]\nexclude = ["legacy.py"]\n', encoding="utf-8")
    return project


def run(project: Path, hook: str, **environment: str) -> tuple[int, str]:
    """Exit code and output of one hook, or of all for ""."""
    command = [sys.executable, "-m", "pre_commit", "run", *filter(None, [hook]), "--all-files"]
    # As in an environment that is active: its scripts are found first.
    path = os.pathsep.join([str(project.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {"PRE_COMMIT_HOME": str(project.parent / "home"), "PRE_COMMIT_COLOR": "never", "PATH": path}
    environment = {**os.environ, **settings, **environment}
    answer = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    return answer.returncode, answer.stdout + answer.stderr


@pytest.mark.parametrize("printed", ["installed", "tagged"])
def test_the_snippets_work_as_printed(project: Path, address: dict[str, str], printed: str) -> None:
    (project / ".pre-commit-config.yaml").write_text(SNIPPETS[printed], encoding="utf-8")
    git(project, "add", "-A")
    code, out = run(project, "memlint", **address)
    assert code == 1, out
    assert "exit code: 1" in out
    assert "train.py:11:5: warning[MEM101]" in out
    assert "legacy.py" not in out
    assert (project / "train.py").read_text(encoding="utf-8") == LEAK
    code, out = run(project, "", **address)
    assert code == 1, out
    assert out.count("MEM101") == out.count("warning[MEM101]") + out.count("memlint rule MEM101") == 2, out
    assert "files were modified by this hook" in out
    assert "memlint: fixed 1 finding in 1 file" in out
    git(project, "add", "-A")
    code, out = run(project, "", **address)
    assert (code, out.count("Passed")) == (0, 2), out
    assert (project / "legacy.py").read_text(encoding="utf-8") == LEAK
