"""The settings in force: the nearest file, the environment, `--config`, the options, laid over one another.

Every value remembers where it came from. A later layer replaces a value of an earlier one, except
that `extend-select` and `ignore` add up; a `select` starts afresh and drops the earlier `ignore`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from memlint.config.files import beside, layers_of, nearest
from memlint.config.keys import ADDING, KEYS, OF_FILES, SELECTING, Layer, checked, parse_format
from memlint.config.pins import LIMITED, limit_of, pin_of
from memlint.errors import ConfigError, UsageError
from memlint.records import dataclass

FORMAT_VARIABLE = "MEMLINT_OUTPUT_FORMAT"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is in force for the files of one folder.

    `origins` says for every key where its value came from; `globs_root` is the folder that
    `per-file-ignores` and `exclude` are relative to. `torch_version` is None when it is not declared.
    `rule_packs` are paths from the root on; `pinned` are the packages that their rules depend on: name,
    version, origin. `limits` are the first versions of packages that the project's files leave no room for:
    what its code is written for, be settings ignored or not.
    """

    globs_root: Path
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rule_packs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    torch_version: tuple[int, ...] | None = None
    advice: bool = False
    check_tests: bool = False
    output_format: str = "text"
    baseline: str = ""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)
    pinned: tuple[tuple[str, tuple[int, ...], str], ...] = ()
    limits: tuple[tuple[str, tuple[int, ...]], ...] = ()


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
        UsageError: an option or an environment variable cannot be used, or names no rule.
        PackError: a rule pack is not there, or malformed.
    """
    layers = [layer for arg in overrides.config if not _is_inline(arg) for layer in _named_file(arg)]
    if not layers and not overrides.isolated:
        layers = list(nearest(folder))
    layers.insert(0, overrides.defaults)
    if not overrides.isolated:
        layers.insert(0, _pinned(folder))
    layers.append(_environment())
    layers += [_inline(arg) for arg in overrides.config if _is_inline(arg)]
    layers.append(overrides.options)
    limits = ((name, limit_of(folder, name)) for name in LIMITED)
    found = replace(
        merge(layers, folder), limits=tuple((name, end) for name, end in limits if end is not None)
    )
    if found.rule_packs:
        found = _with_packs(found, folder, isolated=overrides.isolated)
    for layer in layers:
        _check_selectors(layer, found.rule_packs, is_option=layer is overrides.options)
    return found


def _with_packs(settings: Settings, folder: Path, *, isolated: bool) -> Settings:
    """The settings with the paths of their packs, and the versions that the rules of these are about."""
    from memlint import packs
    from memlint.packs.files import placed

    where = settings.origins["rule-packs"]
    places = tuple(dict.fromkeys(placed(entry, where) for entry in settings.rule_packs))
    names = sorted(packs.packages(places))
    pins = [(name, pin) for name in names if not isolated and (pin := pin_of(folder, name)) is not None]
    pinned = tuple((name, pin.version, pin.where) for name, pin in pins)
    return replace(settings, rule_packs=places, pinned=pinned)


def _check_selectors(layer: Layer, rule_packs: tuple[str, ...], *, is_option: bool) -> None:
    """See that each selector of a layer names a rule: which there are, its packs decide."""
    asked: dict[str, list[str]] = {key: [*layer.values.get(key, ())] for key in SELECTING}
    ignores = layer.values.get("per-file-ignores", ())
    asked["per-file-ignores"] = [selector for _, selectors in ignores for selector in selectors]
    if not any(asked.values()):
        return
    from memlint import catalogue, packs  # a run that selects nothing and meets no torch needs no rules

    titles = packs.titles(rule_packs)
    for key, selectors in asked.items():
        for selector in selectors:
            try:
                catalogue.named(selector, titles)
            except UsageError as error:
                if is_option:
                    raise
                raise ConfigError(f"{layer.where}: `{key}`: {error.message}", error.hint) from error


def merge(layers: Iterable[Layer], folder: Path) -> Settings:
    """One Settings out of layers, the earliest first."""
    values: dict[str, Any] = {}
    origins = dict.fromkeys((key for key in KEYS if key not in OF_FILES), "default")
    root = folder
    for layer in layers:
        if "select" in layer.values:
            values.pop("ignore", None)
            origins["ignore"] = "default"
        for key, value in layer.values.items():
            where = layer.places.get(key, layer.where)
            if key in ADDING and values.get(key):
                values[key] += value
                origins[key] += f" + {where}"
            else:
                values[key], origins[key] = value, where
        if layer.root is not None and ("exclude" in layer.values or "per-file-ignores" in layer.values):
            root = layer.root
    return Settings(root, origins=origins, **{key.replace("-", "_"): value for key, value in values.items()})


def _pinned(folder: Path) -> Layer:
    """The torch that the project pins, in the lowest layer of all."""
    pin = pin_of(folder, "torch")
    return Layer(pin.where, {"torch-version": pin.version}) if pin is not None else Layer("project", {})


def _is_inline(arg: str) -> bool:
    return "=" in arg and not os.path.isfile(arg)


def _inline(arg: str) -> Layer:
    import tomli

    where = f"--config '{arg}'"
    try:
        layer = checked(where, tomli.loads(arg), Path.cwd())
    except (ValueError, RecursionError) as error:
        hint = "write it as in pyproject.toml: --config 'select = [\"MEM101\"]'"
        raise UsageError(f"{where} is not TOML: {error}", hint) from error
    if "rule-packs" in layer.values:
        places = tuple(beside(Path.cwd(), entry) for entry in layer.values["rule-packs"])
        layer = replace(layer, values={**layer.values, "rule-packs": places})
    if layer.values.keys() & set(OF_FILES):
        raise UsageError(f"{where}: only a file can extend another one", "name the file: --config PATH")
    return layer


def _named_file(arg: str) -> tuple[Layer, ...]:
    file = Path(arg)
    if not os.path.isfile(file):
        raise UsageError(f"--config {arg}: no such file", "give a TOML file or 'key = value'")
    layers = layers_of(file.absolute())
    if not layers:
        raise UsageError(f"--config {arg}: it has no [tool.memlint] table")
    return layers


def _environment() -> Layer:
    value = os.environ.get(FORMAT_VARIABLE)
    if not value:
        return Layer("environment", {})
    try:
        return Layer(FORMAT_VARIABLE, {"output-format": parse_format(value)})
    except ValueError as error:
        raise UsageError(f"{FORMAT_VARIABLE} {error}") from error
