"""The hooks, run by the real pre-commit from a clone of this tree; pre-commit needs a package index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a leaking script, an excluded one, and the hooks taken from this tree."""
    hooks = tmp_path_factory.mktemp("hooks") / "memlint"
    shutil.copytree(ROOT, hooks, ignore=LEFT_OUT)
    git(hooks, "init", "-q")
    git(hooks, "add", "-A")
    git(hooks, "commit", "-qm", "hooks")
    project = tmp_path_factory.mktemp("project")
    git(project, "init", "-q")
    (project / "train.py").write_text(LEAK, encoding="utf-8")
    (project / "legacy.py").write_text(LEAK, encoding="utf-8")
    (project / "pyproject.toml").write_text('[tool.memlint]\nexclude = ["legacy.py"]\n', encoding="utf-8")
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hooks}\n  rev: {git(hooks, 'rev-parse', 'HEAD')}\n"
        "  hooks:\n  - id: memlint\n  - id: memlint-fix\n",
        encoding="utf-8",
    )
    git(project, "add", "-A")
    return project


def test_both_hooks(project: Path, tmp_path: Path) -> None:
    def run(hook: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", "run", hook, "--all-files"]
        environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path), "PRE_COMMIT_COLOR": "never"}
        answer = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
        return answer.returncode, answer.stdout + answer.stderr

    code, out = run("memlint")
    assert code == 1, out
    assert "exit code: 1" in out
    assert "train.py:11:5: warning[MEM101]" in out
    assert "legacy.py" not in out
    assert (project / "train.py").read_text(encoding="utf-8") == LEAK
    code, out = run("memlint-fix")
    assert code == 1, out
    assert "files were modified by this hook" in out
    assert "memlint: fixed 1 finding in 1 file" in out
    git(project, "add", "-A")
    for hook in ("memlint", "memlint-fix"):
        code, out = run(hook)
        assert (code, "Passed" in out) == (0, True), out
    assert (project / "legacy.py").read_text(encoding="utf-8") == LEAK
