"""Configuration: `keys` has every setting, `files` where they are written, `settings` which are in force."""

from memlint.config.keys import (
    FORMATS,
    IN_TEXT,
    KEYS,
    Layer,
    checked,
    parse_selectors,
    parse_version,
    shown,
)
from memlint.config.settings import Overrides, Settings, resolve

__all__ = [
    "FORMATS",
    "IN_TEXT",
    "KEYS",
    "Layer",
    "Overrides",
    "Settings",
    "checked",
    "parse_selectors",
    "parse_version",
    "resolve",
    "shown",
]
