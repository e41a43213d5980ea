"""Configuration: `keys` has every setting, `files` where they are written, `settings` which are in force."""

from memlint.config.keys import (
    FORMATS,
    IN_TEXT,
    KEYS,
    Layer,
    checked,
    parse_version,
)
from memlint.config.settings import Overrides, Settings, resolve
from memlint.source.files import shown

__all__ = [
    "FORMATS",
    "IN_TEXT",
    "KEYS",
    "Layer",
    "Overrides",
    "Settings",
    "checked",
    "parse_version",
    "resolve",
    "shown",
]
