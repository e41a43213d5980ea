"""The settings: what each takes, what it means, and the JSON schema that editors read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from memlint.errors import ConfigError, UsageError
from memlint.records import dataclass

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")
IN_TEXT = ("text", "concise")
"""Formats for people: the only ones that can show counts per rule instead of findings."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting.

    `parse` turns a value out of TOML into that of `Settings`, and raises ValueError, TypeError or UsageError;
    `schema` says in JSON Schema what is allowed; `example` is a value as TOML has it.
    """

    parse: Callable[[object], object]
    about: str
    schema: Mapping[str, Any]
    example: str


@dataclass(frozen=True, slots=True)
class Layer:
    """Checked values from one place; `root` is the folder that its globs are relative to.

    `places` names single keys that come from a place of their own, such as an option.
    """

    where: str
    values: Mapping[str, Any]
    root: Path | None = None
    places: Mapping[str, str] = field(default_factory=dict)


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
            values[key] = KEYS[key].parse(value)
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
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9}){0,2}(\+\w[\w.]*)?", value.strip()):
        raise ValueError(f'must be a version such as "2.1", not "{value:.60}"')
    return tuple(int(part) for part in value.strip().partition("+")[0].split("."))


def parse_format(value: object) -> str:
    """The name of an output format.

    Raises:
        ValueError: there is no such format; the text lists them.
    """
    if value not in FORMATS:
        raise ValueError(f"must be one of {', '.join(FORMATS)}, not {value!r}")
    return str(value)


def _some_strings(value: object) -> tuple[str, ...]:
    selectors = _strings(value)
    if not selectors:
        raise ValueError('names no rule; write ["ALL"], or leave it out')
    return selectors


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        given = "a list of something else" if isinstance(value, list) else _type_name(value)
        raise TypeError(f'must be a list of strings such as ["..."], not {given}')
    return tuple(value)


def _path(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"must be the path of a file, not {_type_name(value) if value else 'empty'}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"must be true or false, not {_type_name(value)}")
    return value


def _ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise TypeError(f'must be a table such as {{"tests/*" = ["MEM101"]}}, not {_type_name(value)}')
    return tuple((pattern, _strings(codes)) for pattern, codes in value.items())


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


_SELECTORS = {"type": "array", "items": {"type": "string", "pattern": "^\\s*\\S+\\s*$"}}
_FLAG = {"type": "boolean", "default": False}

KEYS: Mapping[str, Key] = {
    "select": Key(
        _some_strings,
        "the rules in force, by code, prefix or name; `all` are all of them, `training` is the default set "
        "(memory, and code that fails or trains wrongly), `errors` what all rules report as errors",
        {**_SELECTORS, "minItems": 1},
        '["training", "MEM401"]',
    ),
    "extend-select": Key(
        _strings, "rules beside those of `select` or the default set", _SELECTORS, '["MEM401"]'
    ),
    "ignore": Key(
        _strings, "rules to leave out; of two selectors the longer one wins", _SELECTORS, '["MEM105"]'
    ),
    "per-file-ignores": Key(
        _ignores,
        "rules to leave out in some files; globs relative to the settings' file, `*` also crosses folders",
        {"type": "object", "additionalProperties": _SELECTORS},
        '{"tests/*" = ["MEM2"]}',
    ),
    "rule-packs": Key(
        _strings,
        "rule packs beside memlint's own rules: folders or files of TOML, relative to the settings' file, or "
        "names under which installed packages offer theirs",
        {"type": "array", "items": {"type": "string", "minLength": 1}},
        '["lint/my_rules", "acme"]',
    ),
    "exclude": Key(
        _strings,
        "globs of files and folders that are not checked unless they are named",
        {"type": "array", "items": {"type": "string"}},
        '["legacy/*"]',
    ),
    "torch-version": Key(
        parse_version,
        "the torch that the scripts run on; rules about other versions stay silent. Left out, it is what the "
        "project pins in a lock file, its requirements or `pyproject.toml`",
        {"type": "string", "pattern": r"^\s*\d+(\.\d+){0,2}(\+\w[\w.]*)?\s*$"},
        '"2.4"',
    ),
    "advice": Key(_flag, "report findings of severity advice too", _FLAG, "true"),
    "check-tests": Key(
        _flag,
        "in tests, benchmarks of an API and smoke runs report more than what breaks them",
        _FLAG,
        "true",
    ),
    "output-format": Key(
        parse_format,
        "the format of the report where no option names one",
        {"enum": list(FORMATS), "default": "text"},
        '"concise"',
    ),
    "baseline": Key(
        _path,
        "the file of findings that are known, written by `--write-baseline`; relative to the settings' file",
        {"type": "string", "minLength": 1},
        '"memlint-baseline.json"',
    ),
    "extend": Key(
        _path,
        "a file with settings that those of this file are laid over; relative to this file",
        {"type": "string", "minLength": 1},
        '"../memlint.toml"',
    ),
}
ADDING = ("extend-select", "ignore", "rule-packs")
"""Settings to which a later file adds; of all others the later one counts alone."""
SELECTING = ("select", "extend-select", "ignore")
"""Settings that are lists of selectors."""
OF_FILES = ("extend",)
"""Settings that say something of their file, and nothing once it is read."""
