"""`memlint rule`: the catalogue, readable offline."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from memlint import catalogue, packs
from memlint.catalogue import Rule
from memlint.commands.terminal import add_color, add_config, add_rule_pack, overrides, talk, wants_color
from memlint.config import resolve, shown
from memlint.errors import MemlintError, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint rule`."""
    parser.add_argument(
        "selectors", nargs="*", metavar="CODE|NAME", help="a code, a prefix such as MEM1, or a name"
    )
    parser.add_argument("--all", action="store_true", help="list every rule")
    parser.add_argument(
        "--full", action="store_true", help="print everything about the rule, not one screen of it"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    add_rule_pack(parser)
    add_config(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Print the chosen rules: one as a page, several as a list. Gives the exit code 0.

    Raises:
        UsageError: no rule was named, or none answers to a name.
    """
    if not options.selectors and not options.all:
        raise UsageError("which rule?", "give a code or a name, or --all for the list")
    known = _known(options)
    chosen = list(known) if options.all else []
    for selector in options.selectors:
        chosen += [rule for rule in catalogue.named(selector, known) if rule not in chosen]
    if options.output_format == "json":
        print(json.dumps([_as_data(rule) for rule in chosen], indent=2, ensure_ascii=False))
        return 0
    _print(chosen, options)
    return 0


def _known(options: argparse.Namespace) -> tuple[Rule, ...]:
    """The rules that the settings of the current folder know, or memlint's own where these are wrong."""
    given = [("rule-packs", "--rule-pack", tuple(options.rule_packs))] if options.rule_packs else []
    try:
        return packs.rules(resolve(Path.cwd(), overrides(options, given)).rule_packs)
    except MemlintError as error:
        if options.rule_packs or options.config:
            raise
        talk(f"warning: rules of packs are left out: {error}")
        return packs.rules()


def _print(rules: Sequence[Rule], options: argparse.Namespace) -> None:
    from memlint.report.rule.text import render_list, render_rule
    from memlint.report.summary import options_for

    look = options_for(sys.stdout, color=wants_color(options, sys.stdout), full=options.full)
    if len(rules) == 1:
        render_rule(rules[0], sys.stdout, look)
    else:
        render_list(rules, sys.stdout, look)


def _as_data(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "severity": rule.severity.value,
        "certainty": rule.certainty,
        "since": rule.since,
        "frameworks": list(rule.frameworks),
        "fix": rule.fix,
        "explanation": rule.explanation,
        "known_limits": rule.known_limits,
        "references": list(rule.references),
        "url": rule.url,
        "file": shown(rule.path) if rule.pack else f"rules/{rule.path.name}",
        "pack": shown(Path(rule.pack)) if rule.pack else None,
    }
