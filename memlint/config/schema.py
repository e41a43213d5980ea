"""The JSON schema of the settings, for editors and for validate-pyproject."""

from __future__ import annotations

from typing import Any

from memlint.config.keys import KEYS


def schema(tool_name: str = "memlint") -> dict[str, Any]:
    """The schema of `[tool.memlint]` and of memlint.toml, as draft 7: what validate-pyproject takes.

    That calls it, by the entry point `validate_pyproject.tool_schema`, with the name of the table.
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"Settings of {tool_name}",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"description": key.about, **key.schema} for name, key in KEYS.items()},
    }
