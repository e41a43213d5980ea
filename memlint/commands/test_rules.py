"""`memlint test-rules`: the examples of rule packs, run as tests of their rules."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from memlint import packs
from memlint.catalogue import Rule
from memlint.commands.terminal import add_config, overrides, rule_pack
from memlint.config import resolve, shown
from memlint.errors import UsageError
from memlint.packs.files import placed
from memlint.packs.read import schema
from memlint.packs.schema import line_of
from memlint.units import plural


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint test-rules`."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="folders, files or names of installed packs (default: those in the settings)",
    )
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON schema of a rule file, for editors"
    )
    add_config(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what fails")


def run(options: argparse.Namespace) -> int:
    """Run the examples: a line for each that fails. Gives 0 where none does, else 1.

    Raises:
        UsageError: no pack is named, neither here nor in the settings.
        PackError: a pack is not there, or malformed.
    """
    if options.schema:
        print(json.dumps(schema(), indent=2))
        return 0
    if options.paths:
        chosen = tuple(dict.fromkeys(placed(rule_pack(path), "test-rules") for path in options.paths))
    else:
        chosen = resolve(Path.cwd(), overrides(options)).rule_packs
    if not chosen:
        raise UsageError("which rule pack?", "give its path, or name it in the settings: rule-packs = [...]")
    rules = [rule for rule in packs.rules(chosen) if rule.pack]
    failed = sum(_tell_failures(rule) for rule in rules)
    count = sum(len(rule.bad) + len(rule.good) for rule in rules)
    if failed:
        print(f"{failed} of {plural(count, 'example')} of {plural(len(rules), 'rule')} failed.")
    elif not options.quiet:
        print(f"All passed: {plural(count, 'example')} of {plural(len(rules), 'rule')}.")
    return int(bool(failed))


def _tell_failures(rule: Rule) -> int:
    """Say what fails of a rule, a line each; gives the number of examples."""
    from memlint.engine.rule_examples import failures

    text = rule.path.read_text(encoding="utf-8")
    failed: set[tuple[str, str]] = set()
    for kind, title, wrong in failures(rule):
        failed.add((kind, title))
        place = f"{shown(rule.path)}:{line_of(text, (kind, title))}"
        print(f'{place}: {rule.code} {kind} "{title}": {wrong}')
    return len(failed)
