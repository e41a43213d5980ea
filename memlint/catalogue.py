"""The rules, read from `rules/*.toml`: one file holds everything a rule says and shows.

Loading needs no syntax tree and no detector: `memlint rule CODE` and the documentation read only this.
Selecting needs no more than the names of the files: a run whose reports are all kept reads none of them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from memlint import examples
from memlint.addresses import rule_page
from memlint.errors import CatalogueError, UsageError
from memlint.examples import Example, ReadLater
from memlint.finding import Applicability, Claim, Severity
from memlint.records import dataclass

MARKER = "_schema.json"
COMPILED = "_compiled.json"
"""What a wheel has beside the rule files: all of them, read when it was built. Reading them takes a twentieth
of the time of a short check. A source tree has none."""
META = "meta"
"""In place of a detector: findings about the run itself (a syntax error, an unused suppression)."""
ALWAYS = frozenset({"MEM001", "MEM004"})
"""In force even when `select` does not name them: a file that was not checked must not look clean."""
TABLE = "api.api_table"
"""The detector of a rule that is a table of names and says nothing else."""
DEFAULT_CONCERNS = frozenset({"memory", "training", "team"})
"""What the default set is about: memory, code that fails or trains wrongly, and the rules of packs. Not
opportunities, not time, not style."""
EVERYTHING, TRAINING, ERRORS = "all", "training", "errors"
PRESETS = (EVERYTHING, TRAINING, ERRORS)
"""Selectors of no single rule: all rules; what is in force without `select`; errors alone, of all rules."""
BLANK = "FILL IN:"
"""Starts every text of a new rule that somebody still has to write."""


class Named(Protocol):
    """What a selector can name: a rule, or no more than its title."""

    @property
    def code(self) -> str:
        """Such as MEM101."""

    @property
    def name(self) -> str:
        """Such as loss-graph-accumulation."""


N = TypeVar("N", bound=Named)


@dataclass(frozen=True, slots=True)
class Title:
    """The code and the name of a rule, which its file is called by."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the texts a rule can speak: severity, headline template, reason and remedy.

    `concern` is what the finding is about: memory, training (code that fails or trains wrongly, or will with
    a release that has announced it), opportunity (nothing is wrong, and another way takes less memory), time
    or style.
    """

    severity: Severity
    message: str
    why: str
    help: str
    claim: Claim | None
    concern: str = "memory"

    @property
    def is_default(self) -> bool:
        """Whether it is reported without being selected; advice needs `--advice` besides."""
        return self.concern in DEFAULT_CONCERNS


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the catalogue.

    `bad` are examples that must be reported, `good` such that must not: the few that a reader of the rule
    needs. All others are files of `tests/rules`.
    `yields_to` are the codes of rules of higher severity: where one of them reports a statement, this one is
    silent.
    `effect_of` are the codes of rules that may report the cause of what this one reports: see
    `engine/one_cause.py`.
    `callers_decide` says that a finding in a function which only other files call needs their consent.
    `no_fix` says why a finding has no fix where its detector does not.
    `pack` is the path of the pack that the rule is from, "" for memlint's own; `requires` are packages with
    the versions that it is about.
    """

    code: str
    name: str
    summary: str
    certainty: str
    since: str
    frameworks: tuple[str, ...]
    fix: str
    fix_safety: str
    explanation: str
    known_limits: str
    references: tuple[str, ...]
    requires_torch: str
    detector: str
    variants: dict[str, Variant]
    gate: tuple[frozenset[str], ...]
    matches: tuple[dict[str, Any], ...]
    path: Path = field(compare=False)
    bad: Sequence[Example] = ()
    good: Sequence[Example] = ()
    yields_to: frozenset[str] = frozenset()
    callers_decide: bool = False
    effect_of: frozenset[str] = frozenset()
    no_fix: str = ""
    pack: str = ""
    requires: tuple[tuple[str, str], ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity of the main variant, shown in lists."""
        return self.variants["default"].severity

    @property
    def is_default(self) -> bool:
        """Whether the rule says anything without being selected."""
        return any(variant.is_default for variant in self.variants.values())

    @property
    def url(self) -> str:
        """The address of the page that explains the rule; `memlint rule CODE` does it offline.

        Of a rule of a pack the first of its references, "" where it has none.
        """
        return "".join(self.references[:1]) if self.pack else rule_page(self.code)


def rules_directory() -> Path:
    """The folder with the rule files: `memlint/rules` when installed, `../rules` in a source tree.

    Raises:
        CatalogueError: neither is there, or neither holds the marker file `_schema.json`.
    """
    here = Path(__file__)
    for folder in (here.with_name("rules"), here.parent.with_name("rules")):
        if (folder / MARKER).is_file():
            return folder
    raise CatalogueError(f"no rule files beside {here.parent}", "reinstall torch-memlint")


@cache
def load() -> tuple[Rule, ...]:
    """All rules, sorted by code.

    Raises:
        CatalogueError: a rule file is malformed or two of them share a code.
    """
    rules: dict[str, Rule] = {}
    folder = rules_directory()
    known = _compiled(folder / COMPILED)
    for path in _files(folder):
        rule = _read(path, known.get(path.name))
        if rule.code in rules:
            raise CatalogueError(f"{path.name}: code {rule.code} is taken by {rules[rule.code].path.name}")
        rules[rule.code] = rule
    return tuple(rules[code] for code in sorted(rules))


@cache
def titles() -> tuple[Title, ...]:
    """The titles of all rules, sorted by code.

    Raises:
        CatalogueError: the installation has no rule files.
    """
    parts = (path.stem.partition("-") for path in _files(rules_directory()))
    return tuple(sorted((Title(code, name) for code, _, name in parts), key=lambda title: title.code))


def find(selector: str) -> list[Rule]:
    """The rules meant by a code, a code prefix, a name or a preset (upper or lower case).

    Raises:
        UsageError: no rule answers to the selector; the hint names the nearest one.
    """
    return named(selector, load())


def named(selector: str, rules: Sequence[N]) -> list[N]:
    """As `find`, among some rules or titles.

    Raises:
        UsageError: the selector is the code, prefix or name of none of them.
    """
    wanted = selector.strip()
    if is_preset(wanted):
        return list(rules)
    by_name = [rule for rule in rules if rule.name == wanted.lower()]
    by_prefix = [rule for rule in rules if wanted and rule.code.startswith(wanted.upper())]
    chosen = by_name or by_prefix
    if not chosen:
        near = _nearest(wanted, rules)
        hint = f"did you mean {near}?" if near else "`memlint rule --all` lists them"
        raise UsageError(f"unknown rule selector `{selector}`", hint)
    return chosen


def is_dotted(code: str) -> bool:
    """Whether source is a name of a module, such as `acme.FAST`."""
    return re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", code, re.ASCII) is not None


def is_preset(selector: str) -> bool:
    """Whether a selector means all rules, or what they say in part."""
    return selector.strip().lower() in PRESETS


def _nearest(wanted: str, rules: Sequence[Named]) -> str:
    """The code or name that a misspelt selector may stand for, "" when none is near."""
    import difflib

    codes, names = [*(rule.code for rule in rules), "ALL"], [*(rule.name for rule in rules), *PRESETS]
    # A letter typed for its look-alike digit names one code exactly.
    digits = wanted[3:].upper().translate(str.maketrans("OIL", "011"))
    for word in (wanted[:3].upper() + digits, wanted.upper()):
        # Every code shares its first letters with every other: two digits off is no typing error.
        if near := difflib.get_close_matches(word, codes, 1, cutoff=0.75):
            return near[0]
    return next(iter(difflib.get_close_matches(wanted.lower(), names, 1)), "")


def select(
    select: Iterable[str],
    ignore: Iterable[str],
    extend: Iterable[str] = (),
    among: Sequence[Title] | None = None,
) -> tuple[Title, ...]:
    """The titles of the rules in force, of those `among` which one can choose (default: memlint's own).

    Without `select`, all are.

    A longer selector wins over a shorter one, and `ignore` over `select` of the same length, so that
    `--select MEM101 --ignore MEM1` keeps MEM101. Severity advice, and what is not in the default set, are
    filtered per finding, not here.

    Raises:
        UsageError: a selector matches no rule.
    """
    known = titles() if among is None else among
    rank: dict[str, tuple[int, bool]] = {}
    chosen = [*(list(select) or ["ALL"]), *extend]
    for wanted, on in [*((s.strip(), True) for s in chosen), *((s.strip(), False) for s in ignore)]:
        for rule in named(wanted, known):
            weight = 0 if is_preset(wanted) else 99 if wanted.lower() == rule.name else len(wanted)
            if rule.code not in rank or (weight, not on) >= (rank[rule.code][0], not rank[rule.code][1]):
                rank[rule.code] = (weight, on)
    return tuple(rule for rule in known if rank.get(rule.code, (0, False))[1])


def version_fits(version: tuple[int, ...], requirement: str) -> bool:
    """Whether a version meets a requirement such as ">=1.10,<2.4"; the empty one is always met.

    Raises:
        CatalogueError: the requirement is malformed.
    """
    for part in filter(None, (piece.strip() for piece in requirement.split(","))):
        match = re.fullmatch(r"(>=|<=|==|<|>)\s*(\d+(?:\.\d+)*)", part)
        if match is None:
            raise CatalogueError(f"`{part}` is not a version requirement", "write it like >=2.0")
        wanted = tuple(int(number) for number in match[2].split("."))
        size = max(len(wanted), len(version))
        have, bound = (v + (0,) * (size - len(v)) for v in (version, wanted))
        if not _COMPARISONS[match[1]](have, bound):
            return False
    return True


_COMPARISONS = {">=": operator.ge, "<=": operator.le, "==": operator.eq, "<": operator.lt, ">": operator.gt}


def compiled() -> str:
    """The text of `COMPILED`, from the rule files themselves.

    Raises:
        CatalogueError: a rule file is malformed.
    """
    import json

    return json.dumps({path.name: _parsed(path) for path in _files(rules_directory())}, ensure_ascii=False)


def _compiled(path: Path) -> dict[str, dict[str, Any]]:
    """The tables of all rule files by their names, as far as they were read when memlint was built."""
    if not path.exists():
        return {}
    import json

    with _reading(path):
        return dict(json.loads(path.read_text(encoding="utf-8")))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("M*.toml"))


def _parsed(path: Path) -> dict[str, Any]:
    """The tables of a rule file without its examples."""
    import tomli

    with _reading(path):
        text = path.read_text(encoding="utf-8")
        if BLANK in text:
            blanks = ", ".join(_blanks(tomli.loads(text)))
            raise CatalogueError(f"{path.name} has blanks to fill in: {blanks}")
        return tomli.loads(without_examples(text))


def _read(path: Path, known: dict[str, Any] | None = None) -> Rule:
    data = _parsed(path) if known is None else known
    with _reading(path):
        rule = _rule(data, path)
    if path.stem != f"{rule.code}-{rule.name}":
        raise CatalogueError(f"{path.name}: the file must be called {rule.code}-{rule.name}.toml")
    return rule


def without_examples(text: str) -> str:
    """A rule file without [bad] and [good], which are its last tables: a check needs no examples."""
    return text.partition("\n[bad]\n")[0].partition("\n[good]\n")[0]


def _examples(path: Path, kind: str) -> tuple[Example, ...]:
    import tomli

    with _reading(path):
        data = tomli.loads(path.read_text(encoding="utf-8"))
        return examples.read(data.get(kind, {}), data)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what a malformed rule file raises into an error that names the file."""
    try:
        yield
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise CatalogueError(f"{path.name}: {type(error).__name__}: {error}") from error


def _blanks(data: object, place: str = "") -> Iterator[str]:
    """Where a rule file still has the texts that it was made with, as `claim.type` or `good[2].code`."""
    if isinstance(data, dict):
        for number, (key, value) in enumerate(data.items(), 1):
            if BLANK in key:
                yield f"{place}[{number}]"
            else:
                yield from _blanks(value, f"{place}.{key}" if place else key)
    elif isinstance(data, list):
        for number, value in enumerate(data, 1):
            yield from _blanks(value, f"{place}[{number}]")
    elif isinstance(data, str) and BLANK in data:
        yield place


def _rule(data: dict[str, Any], path: Path) -> Rule:
    default = _variant(data, None)
    variants = {"default": default}
    for key, table in data.get("variants", {}).items():
        variants[key] = _variant(table, default)
    matches = tuple(entry for table in data.get("match", ()) for entry in _matches(table))
    if not matches and "detector" not in data:
        raise ValueError("a detector or [[match]] entries must be given")
    if data.get("fix", "none") != "none":
        Applicability(data["fix"])
    return Rule(
        code=data["code"],
        name=data["name"],
        summary=data["summary"],
        certainty=data["certainty"],
        since=data["since"],
        frameworks=tuple(data["frameworks"]),
        fix=data.get("fix", "none"),
        fix_safety=data.get("fix-safety", "").strip(),
        explanation=data["explanation"].strip(),
        known_limits=data.get("known-limits", "").strip(),
        references=tuple(data.get("references", ())),
        requires_torch=data.get("requires-torch", ""),
        requires=tuple(data.get("requires", {}).items()),
        detector=data.get("detector", TABLE),
        callers_decide=data.get("callers-decide", False),
        yields_to=frozenset(data.get("yields-to", ())),
        effect_of=frozenset(data.get("effect-of", ())),
        no_fix=data.get("no-fix", ""),
        variants=variants,
        gate=tuple(frozenset(group) for group in data["gate"]),
        matches=matches,
        path=path,
        bad=ReadLater(partial(_examples, path, "bad")),
        good=ReadLater(partial(_examples, path, "good")),
    )


def _matches(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One entry for each name that `import` takes for a module, its parts filled in; otherwise the table."""
    if table.get("kind") != "import-module":
        yield table
        return
    for api in table["api"]:
        module, _, name = api.rpartition(".")
        form = table["replacement"].replace("{module}", module).replace("{name}", name)
        edit = {**table["edit"], "import-form": f"{form} as {{alias}}"}
        yield {**table, "api": [api], "replacement": form, "edit": edit}


def _variant(table: dict[str, Any], default: Variant | None) -> Variant:
    claim = table.get("claim")
    if default is None:
        return Variant(
            severity=Severity(table["severity"]),
            message=table["message"],
            why=table.get("why", ""),
            help=table.get("help", ""),
            claim=_claim(claim) if claim else None,
            concern=table.get("concern", "memory"),
        )
    return Variant(
        severity=Severity(table.get("severity", default.severity)),
        message=table.get("message", default.message),
        why=table.get("why", default.why),
        help=table.get("help", default.help),
        claim=_claim(claim) if claim else default.claim,
        concern=table.get("concern", default.concern),
    )


def _claim(table: dict[str, Any]) -> Claim:
    raises = tuple(table.get("raises", ()))
    return Claim(table["type"], table["formula"], table.get("check", ""), table.get("needs", ""), raises)
