"""`memlint config`: every setting, its value, and where it comes from."""

from __future__ import annotations

import argparse
import difflib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from memlint.commands.terminal import add_config, overrides
from memlint.config import Settings, resolve
from memlint.config.schema import schema
from memlint.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint config`."""
    parser.add_argument("key", nargs="?", metavar="KEY", help="show only this setting")
    parser.add_argument(
        "--file", metavar="PATH", help="the file whose settings to show (default: the current folder)"
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of the settings")
    add_config(parser)


def run(options: argparse.Namespace) -> int:
    """Print `key = value  # origin`, as TOML that can be copied; what is not set is a comment. Gives 0.

    Raises:
        UsageError: the key or the path does not exist.
    """
    if options.schema:
        print(json.dumps(schema(), indent=2))
        return 0
    place = Path(options.file or ".").absolute()
    if not os.path.exists(place):
        raise UsageError(f"--file {options.file}: no such file or folder")
    settings = resolve(place if place.is_dir() else place.parent, overrides(options))
    keys = settings.origins
    if options.key is not None and options.key not in keys:
        near = difflib.get_close_matches(options.key, keys, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"keys: {', '.join(keys)}"
        raise UsageError(f"unknown key `{options.key}`", hint)
    show(settings, [options.key] if options.key else None)
    return 0


def show(settings: Settings, keys: Iterable[str] | None = None) -> None:
    """Print `key = value  # origin` for some settings, or for all of them."""
    for key in settings.origins if keys is None else keys:
        value = _toml(key, settings)
        print(f"{key} = {value}  # {settings.origins[key]}" if value else f"# {key} is not set")


def _toml(key: str, settings: Settings) -> str:
    value = getattr(settings, key.replace("-", "_"))
    if key == "per-file-ignores":
        return "{" + ", ".join(f"{_text(glob)} = {_list(codes)}" for glob, codes in value) + "}"
    if key in ("select", "torch-version", "baseline") and not value:
        return ""
    if key == "torch-version":
        return _text(".".join(map(str, value)))
    if isinstance(value, bool):
        return str(value).lower()
    return _text(value) if isinstance(value, str) else _list(value)


def _list(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(map(_text, values)) + "]"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
