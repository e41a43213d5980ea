"""Text in the log of a GitHub workflow, where lines of a certain form are commands to the runner.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

import os
import re

_COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)
"""What a runner may take for a command: also behind spaces, and in the older form anywhere in a line."""


def shielded(text: str) -> str:
    """`text` for the log of a workflow.

    Where file names or source lines in it look like commands, the runner is told to take none until its end.
    Elsewhere, and without such lines, it is returned as it is.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true" or not _COMMAND.search(text):
        return text
    # Nobody who wrote a file can know the word that ends it.
    token = os.urandom(16).hex()
    end = "" if text.endswith("\n") else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"
