"""Settings: `[tool.memlint]` of the nearest pyproject.toml, the environment, `--config`, the options.

Every value remembers where it came from. A later layer replaces a value of an earlier one, except
that `extend-select` and `ignore` add up; a `select` starts afresh and drops the earlier `ignore`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from memlint.errors import ConfigError, UsageError

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")
IN_TEXT = ("text", "concise")
"""Formats for people: the only ones that can show counts per rule instead of findings."""
FORMAT_VARIABLE = "MEMLINT_OUTPUT_FORMAT"


@dataclass(frozen=True, slots=True)
class Layer:
    """Checked values from one place; `root` is the folder that its globs are relative to."""

    where: str
    values: Mapping[str, Any]
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What is in force for the files of one folder.

    `origins` says for every key where its value came from; `globs_root` is the folder that
    `per-file-ignores` and `exclude` are relative to. `torch_version` is None when it is not declared.
    """

    globs_root: Path
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    torch_version: tuple[int, ...] | None = None
    advice: bool = False
    check_tests: bool = False
    output_format: str = "text"
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says about configuration: `--config`, `--isolated` and single options.

    `defaults` are those of the command: every other layer is stronger.
    """

    config: tuple[str, ...] = ()
    isolated: bool = False
    options: Layer = field(default_factory=lambda: Layer("command line", {}))
    defaults: Layer = field(default_factory=lambda: Layer("default", {}))


def resolve(folder: Path, overrides: Overrides) -> Settings:
    """The settings for files in `folder`.

    Raises:
        ConfigError: a configuration file is malformed or holds an unknown key or a wrong value.
        UsageError: `--config` or an environment variable cannot be used.
    """
    files = [arg for arg in overrides.config if not _is_inline(arg)]
    layers = [_named_file(arg) for arg in files]
    if not layers and not overrides.isolated:
        layers = [layer for layer in [nearest(folder)] if layer is not None]
    layers.insert(0, overrides.defaults)
    layers.append(_environment())
    layers += [_inline(arg) for arg in overrides.config if _is_inline(arg)]
    layers.append(overrides.options)
    return merge(layers, folder)


@cache
def nearest(folder: Path) -> Layer | None:
    """The `[tool.memlint]` table of the nearest pyproject.toml from `folder` upwards.

    Raises:
        ConfigError: a pyproject.toml on the way is malformed, or its table is.
    """
    file = folder / "pyproject.toml"
    # Not `file.is_file()`, which raises where a folder may not be entered.
    if os.path.isfile(file):
        data = _load(file)
        tool = data.get("tool")
        if isinstance(tool, dict) and "memlint" in tool:
            return checked(shown(file), tool["memlint"], folder)
    return nearest(folder.parent) if folder.parent != folder else None


def merge(layers: Iterable[Layer], folder: Path) -> Settings:
    """One Settings out of layers, the earliest first."""
    values: dict[str, Any] = {}
    origins = dict.fromkeys(KEYS, "default")
    root = folder
    for layer in layers:
        if "select" in layer.values:
            values.pop("ignore", None)
            origins["ignore"] = "default"
        for key, value in layer.values.items():
            if key in ADDING and values.get(key):
                values[key] += value
                origins[key] += f" + {layer.where}"
            else:
                values[key], origins[key] = value, layer.where
        if layer.root is not None and ("exclude" in layer.values or "per-file-ignores" in layer.values):
            root = layer.root
    return Settings(root, origins=origins, **{key.replace("-", "_"): value for key, value in values.items()})


def checked(where: str, table: object, root: Path | None) -> Layer:
    """A layer out of a TOML table, every key known and every value of its type.

    Raises:
        ConfigError: naming the file and the key, and the nearest key that exists.
    """
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: `tool.memlint` must be a table, not {_type_name(table)}")
    values = {}
    for key, value in table.items():
        if key not in KEYS:
            import difflib

            near = difflib.get_close_matches(key.replace("_", "-"), KEYS, 1, cutoff=0.5)
            hint = f"did you mean `{near[0]}`?" if near else "known keys: " + ", ".join(KEYS)
            raise ConfigError(f"{where}: unknown key `{key}` in the memlint configuration", hint)
        try:
            values[key] = KEYS[key](value)
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{where}: `{key}` {error}") from error
        except UsageError as error:
            raise ConfigError(f"{where}: `{key}`: {error.message}", error.hint) from error
    return Layer(where, values, root)


def parse_version(value: object) -> tuple[int, ...]:
    """A torch version such as "2.1" as a tuple of numbers; a local part ("+cu121") is ignored.

    Raises:
        ValueError, TypeError: it is not such a string; the text says what to write.
    """
    if not isinstance(value, str):
        raise TypeError(f'must be a string such as "2.1", not {_type_name(value)}')
    if not re.fullmatch(r"\d+(\.\d+){0,2}(\+\w[\w.]*)?", value.strip()):
        raise ValueError(f'must be a version such as "2.1", not "{value}"')
    return tuple(int(part) for part in value.strip().partition("+")[0].split("."))


def parse_format(value: object) -> str:
    """The name of an output format.

    Raises:
        ValueError: there is no such format; the text lists them.
    """
    if value not in FORMATS:
        raise ValueError(f"must be one of {', '.join(FORMATS)}, not {value!r}")
    return str(value)


def parse_selectors(value: object) -> tuple[str, ...]:
    """A list of rule selectors, each of which some rule answers to.

    Raises:
        TypeError: it is not a list of strings.
        UsageError: no rule answers to a selector.
    """
    from memlint import catalogue  # a run that selects nothing and meets no torch needs no rules

    selectors = _strings(value)
    for selector in selectors:
        catalogue.named(selector, catalogue.titles())
    return selectors


def _some_selectors(value: object) -> tuple[str, ...]:
    selectors = parse_selectors(value)
    if not selectors:
        raise ValueError('names no rule; write ["ALL"], or leave it out')
    return selectors


def shown(file: Path) -> str:
    """A path as messages show it: relative where it lies below the current folder."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        given = "a list of something else" if isinstance(value, list) else _type_name(value)
        raise TypeError(f'must be a list of strings such as ["..."], not {given}')
    return tuple(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"must be true or false, not {_type_name(value)}")
    return value


def _ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise TypeError(f'must be a table such as {{"tests/*" = ["MEM101"]}}, not {_type_name(value)}')
    return tuple((pattern, parse_selectors(codes)) for pattern, codes in value.items())


def _type_name(value: object) -> str:
    names = {
        str: "a string",
        bool: "a boolean",
        int: "a number",
        float: "a number",
        dict: "a table",
        list: "a list",
    }
    return names.get(type(value), "a date or time")


KEYS: Mapping[str, Callable[[object], object]] = {
    "select": _some_selectors,
    "extend-select": parse_selectors,
    "ignore": parse_selectors,
    "per-file-ignores": _ignores,
    "exclude": _strings,
    "torch-version": parse_version,
    "advice": _flag,
    "check-tests": _flag,
    "output-format": parse_format,
}
ADDING = ("extend-select", "ignore")


def _load(file: Path) -> dict[str, Any]:
    import tomli

    try:
        return tomli.loads(file.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", place)
        at = f":{line[1]}" if line else ""
        text = (message or str(error))[:1].lower() + (message or str(error))[1:]
        hint = "correct the TOML there, or run with --isolated"
        raise ConfigError(f"{shown(file)}{at}: malformed TOML: {text}", hint) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(file)}: not UTF-8", "TOML files must be saved as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{shown(file)}: cannot be read: {error.strerror}") from error


def _is_inline(arg: str) -> bool:
    return "=" in arg and not Path(arg).is_file()


def _inline(arg: str) -> Layer:
    import tomli

    where = f"--config '{arg}'"
    try:
        return checked(where, tomli.loads(arg), Path.cwd())
    except tomli.TOMLDecodeError as error:
        hint = "write it as in pyproject.toml: --config 'select = [\"MEM101\"]'"
        raise UsageError(f"{where} is not TOML: {error}", hint) from error


def _named_file(arg: str) -> Layer:
    file = Path(arg)
    if not file.is_file():
        raise UsageError(f"--config {arg}: no such file", "give a TOML file or 'key = value'")
    data = _load(file)
    tool = data.get("tool")
    if isinstance(tool, dict) and "memlint" in tool:
        return checked(arg, tool["memlint"], file.absolute().parent)
    if file.name == "pyproject.toml":
        raise UsageError(f"--config {arg}: it has no [tool.memlint] table")
    return checked(arg, data, file.absolute().parent)


def _environment() -> Layer:
    value = os.environ.get(FORMAT_VARIABLE)
    if not value:
        return Layer("environment", {})
    try:
        return Layer(FORMAT_VARIABLE, {"output-format": parse_format(value)})
    except ValueError as error:
        raise UsageError(f"{FORMAT_VARIABLE} {error}") from error
