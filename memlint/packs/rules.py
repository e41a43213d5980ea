"""The rules in force: memlint's own, and those of the packs that the settings of a file name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from memlint import catalogue
from memlint.catalogue import PRESETS, Rule, Title
from memlint.errors import PackError
from memlint.finding import Finding
from memlint.packs.files import PackFile, files_of
from memlint.packs.schema import line_of
from memlint.source.files import shown

OWN = frozenset({"MEM", "MTF"})


def rules(packs: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """All rules in force with these packs, sorted by code.

    Raises:
        CatalogueError: a rule file of memlint itself is malformed.
        PackError: a pack cannot be read, or two rules have one code, name or prefix.
    """
    return _with(packs) if packs else catalogue.load()


@lru_cache(maxsize=16)
def _with(packs: tuple[str, ...]) -> tuple[Rule, ...]:
    found = [*catalogue.load(), *of_packs(packs)]
    return tuple(sorted(found, key=lambda rule: rule.code))


def titles(packs: tuple[str, ...] = ()) -> tuple[Title, ...]:
    """The titles of all rules in force with these packs, sorted by code.

    Raises:
        PackError: a pack cannot be read.
    """
    own = [Title(rule.code, rule.name) for rule in of_packs(packs)] if packs else []
    return tuple(sorted([*catalogue.titles(), *own], key=lambda title: title.code))


@lru_cache(maxsize=16)
def of_packs(packs: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules of some packs, each of which has a prefix, codes and names of its own.

    Raises:
        PackError: a pack cannot be read, or is not alone with a prefix, code or name.
    """
    taken = {title.code: "memlint" for title in catalogue.titles()}
    names = {title.name: f"memlint's {title.code}" for title in catalogue.titles()}
    names |= dict.fromkeys(PRESETS, "memlint itself")
    prefixes = dict.fromkeys((*OWN, *map(str.upper, PRESETS)), "memlint")
    found: list[Rule] = []
    for file in _files(packs):
        rule = _rule(file)
        letters, folder = prefix(rule.code), shown(file.path.parent)
        if rule.code in taken:
            raise _taken(file, "code", f"{rule.code} is in {taken[rule.code]} too", "take another number")
        if prefixes.setdefault(letters, folder) != folder:
            text = f"the prefix {letters} is that of {prefixes[letters]}"
            raise _taken(file, "code", text, "each pack has a prefix of its own: take another one")
        if rule.name in names:
            raise _taken(file, "name", f"`{rule.name}` is the name of {names[rule.name]}", "take another one")
        taken[rule.code], names[rule.name] = shown(file.path), f"{rule.code} in {shown(file.path)}"
        found.append(rule)
    return tuple(found)


def _taken(file: PackFile, key: str, text: str, hint: str) -> PackError:
    line = line_of(file.data.decode("utf-8", "replace"), (key,))
    return PackError(f"{shown(file.path)}:{line}: {text}", hint)


def rule_of(finding: Finding) -> Rule | None:
    """The rule behind a finding; None where its pack is not there any more."""
    return named(finding.code, finding.pack)


def named(code: str, pack: str = "") -> Rule | None:
    """The rule with a code, of a pack or of memlint itself; None where there is none."""
    try:
        known = of_packs((pack,)) if pack else catalogue.load()
    except PackError:
        return None
    return next((rule for rule in known if rule.code == code), None)


def prefix(code: str) -> str:
    """The letters of a code."""
    return code.rstrip("0123456789")


def words(packs: tuple[str, ...]) -> frozenset[str]:
    """Names one of which a file must have to concern a rule of these packs."""
    if not packs:
        return frozenset()
    return frozenset(word for rule in of_packs(packs) for group in rule.gate for word in group)


def packages(packs: tuple[str, ...]) -> frozenset[str]:
    """The packages on whose versions rules of these packs depend."""
    return frozenset(name for rule in of_packs(packs) for name, _ in rule.requires) if packs else frozenset()


@lru_cache(maxsize=16)
def digest(packs: tuple[str, ...]) -> str:
    """What stands for the content of some packs; "" for none."""
    if not packs:
        return ""
    found = hashlib.sha256()
    for file in _files(packs):
        found.update(f"{file.path}\0{len(file.data)}\0".encode("utf-8", "surrogateescape") + file.data)
    return found.hexdigest()


def forget() -> None:
    """Drop what was read, for a process that outlives changes of packs."""
    for known in (_with, of_packs, digest, _files, _rule):
        known.cache_clear()


@lru_cache(maxsize=16)
def _files(packs: tuple[str, ...]) -> Sequence[PackFile]:
    found = {file.path: file for pack in packs for file in files_of(pack)}
    return tuple(found.values())


@lru_cache(maxsize=2048)
def _rule(file: PackFile) -> Rule:
    from memlint.packs.read import read  # few runs have packs

    return read(file)
