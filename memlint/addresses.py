"""Where memlint lives on the web: every address in a report or a setting is made here.

`pyproject.toml` and the editors' package name them too, and a test compares. docs/releasing.md says what has
to be registered, and where to change them.
"""

from __future__ import annotations

REPOSITORY = "https://github.com/torch-memlint/memlint"
DOCUMENTATION = "https://torch-memlint.readthedocs.io/"

# Read the Docs serves the newest tag there without a step that a release could forget; codes are never given
# to other rules, so the page of a newer version fits older ones.
_RELEASED = f"{DOCUMENTATION}en/stable/"


def rule_page(code: str) -> str:
    """The address of the page that explains one of memlint's own rules."""
    return f"{_RELEASED}rules/{code}/"
