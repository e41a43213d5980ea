"""The session document of `session.schema.json`, as `memlint replay -o` writes it."""

from __future__ import annotations

import json
from typing import TextIO

from memlint.plain import in_json
from memlint.report.summary import RenderOptions
from memlint.session import Session
from memlint.session_file import to_json


def render(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the document. The options do not matter: a contract looks the same everywhere."""
    out.write(in_json(json.dumps(to_json(session), indent=1, ensure_ascii=False)) + "\n")
