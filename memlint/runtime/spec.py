"""What the parent asks one child to do, passed as a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

UNAVAILABLE = 69
"""How a child exits that cannot measure what it was asked to; the last line on its stderr says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One arm.

    `overlay` maps absolute paths of source files to the text that runs in their place; `watch` holds
    "path:line" of lines whose execution is reported; `checks` names the CORRECT questions to answer.
    `device` is what --device says.
    `timeout` is in seconds, `memory_limit` in bytes (0: none). `progress` and `result` are files that
    the child writes; `scratch` takes what the script writes, "" switches containment off; `temporary`
    is its folder for temporary files.
    """

    name: str
    title: str
    target: str
    is_module: bool
    arguments: tuple[str, ...]
    folder: str
    root: str
    probe: str
    steps: int
    timeout: float
    memory_limit: int
    device: str
    seed: int
    scratch: str
    temporary: str
    result: str
    progress: str
    truth: bool
    overlay: dict[str, str]
    watch: tuple[str, ...]
    checks: tuple[str, ...]
    python_path: str | None

    def write(self, path: Path) -> None:
        """Save as JSON."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read(path: Path) -> Spec:
    """Load what `Spec.write` saved."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in ("arguments", "watch", "checks"):
        data[name] = tuple(data[name])
    return Spec(**data)
