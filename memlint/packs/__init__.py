"""Rule packs: rules of a team, or of an installed package, as TOML files beside memlint's own.

A pack is a folder of such files, or one file; the settings name those in force (`rule-packs`). Nothing in a
pack is run: a rule states what it looks for, and memlint's own reader of API tables finds it.
"""

from memlint.packs.read import DETECTOR
from memlint.packs.rules import digest, forget, named, packages, prefix, rule_of, rules, titles, words

__all__ = [
    "DETECTOR",
    "digest",
    "forget",
    "named",
    "packages",
    "prefix",
    "rule_of",
    "rules",
    "titles",
    "words",
]
