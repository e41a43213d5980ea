"""The files that settings come from: `.memlint.toml`, `memlint.toml`, `[tool.memlint]` in pyproject.toml."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from memlint.config.keys import OF_FILES, Layer, checked
from memlint.errors import ConfigError
from memlint.source.files import shown

NAMES = (".memlint.toml", "memlint.toml", "pyproject.toml")
"""In the order in which they are asked for in one folder: only the first that has settings counts."""


MOST_EXTENDED = 50
"""Files of settings one behind the other."""


@cache
def nearest(folder: Path) -> tuple[Layer, ...]:
    """The settings of the nearest file from `folder` upwards, behind those that it extends.

    Raises:
        ConfigError: a file on the way is malformed, or what it extends is not there.
    """
    for file in (place / name for place in (folder, *folder.parents) for name in NAMES):
        # Not `file.is_file()`, which raises where a folder may not be entered.
        if os.path.isfile(file) and (layers := layers_of(file)):
            return layers
    return ()


def layers_of(file: Path, *, seen: tuple[Path, ...] = ()) -> tuple[Layer, ...]:
    """The settings of one file behind those that it extends; none for a pyproject.toml without the table.

    Raises:
        ConfigError: the file is malformed, or what it extends is not there or leads back to it.
    """
    if len(seen) > MOST_EXTENDED:
        problem = f"{shown(file)}: `extend` leads on for {MOST_EXTENDED} files"
        raise ConfigError(problem, "leave some of them out")
    data = load(file)
    tool = data.get("tool")
    if isinstance(tool, dict) and "memlint" in tool:
        layer = checked(shown(file), tool["memlint"], file.parent)
    elif file.name == "pyproject.toml":
        return ()
    else:
        layer = checked(shown(file), data, file.parent)
    base = layer.values.get("extend")
    values = {key: value for key, value in layer.values.items() if key not in OF_FILES}
    if "baseline" in values:
        values["baseline"] = shown(Path(os.path.normpath(file.parent / values["baseline"])))
    if "rule-packs" in values:
        values["rule-packs"] = tuple(beside(file.parent, entry) for entry in values["rule-packs"])
    layer = replace(layer, values=values)
    if base is None:
        return (layer,)
    other = Path(os.path.normpath(file.parent / os.path.expanduser(base)))
    if other in (*seen, file):
        raise ConfigError(f"{shown(file)}: `extend` leads back to {shown(other)}", "leave one of them out")
    if not os.path.isfile(other):
        raise ConfigError(f"{shown(file)}: `extend`: there is no file {shown(other)}", "correct the path")
    layers = layers_of(other, seen=(*seen, file))
    if not layers:
        raise ConfigError(f"{shown(file)}: `extend`: {shown(other)} has no [tool.memlint] table")
    return (*layers, layer)


def beside(folder: Path, entry: str) -> str:
    """A path that settings in `folder` give, from the root on."""
    return os.path.normpath(os.path.join(os.path.abspath(folder), os.path.expanduser(entry)))


def load(file: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        ConfigError: it is malformed, or cannot be read.
    """
    import tomli

    try:
        return tomli.loads(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(file)}: not UTF-8", "TOML files must be saved as UTF-8") from error
    except ValueError as error:  # most are TOMLDecodeError, but a number of 5000 digits is none
        message, _, place = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", place)
        at = f":{line[1]}" if line else ""
        text = (message or str(error))[:1].lower() + (message or str(error))[1:]
        hint = "correct the TOML there, or run with --isolated"
        raise ConfigError(f"{shown(file)}{at}: malformed TOML: {text}", hint) from error
    except RecursionError as error:
        raise ConfigError(f"{shown(file)}: nested too deeply", "no setting needs that") from error
    except OSError as error:
        raise ConfigError(f"{shown(file)}: cannot be read: {error.strerror}") from error
