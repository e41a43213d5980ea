"""One file of a pack as a rule: checked against the schema, then for what a schema cannot say."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import islice
from string import Formatter
from typing import Any

from memlint import examples
from memlint.catalogue import Rule, Variant, is_dotted, rules_directory
from memlint.errors import PackError
from memlint.finding import Applicability, Severity
from memlint.packs.files import PackFile
from memlint.packs.schema import Place, Problem, line_of, problems
from memlint.source.files import shown

SCHEMA = "_pack_schema.json"
DETECTOR = "api.declared"
CONCERN = "team"
MOST_PROBLEMS = 20
"""Of one file that are looked at to find the first: one is told."""
PLACEHOLDERS = frozenset({"api", "replacement", "argument", "value", "method"})
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.UnaryOp)
_OF_MEMLINT = frozenset(
    "claim callers-decide concern detector effect-of fix frameworks gate requires-torch variant variants "
    "yields-to".split()
)
"""Keys of memlint's own rules that a pack does without."""
FOLLOWS = "leave it out: it follows from `match` and `requires`, or is for memlint's own rules"
_TEXTS = frozenset({"severity", "message", "why", "help"})
"""What an entry may say in its own words."""
_CALLS_ONLY = ("add-keyword", "set-keyword", "rename-keyword", "drop-keyword", "prepend")
_ORDER = (Applicability.DISPLAY, Applicability.UNSAFE, Applicability.REPAIR, Applicability.SAFE)


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a file of a pack."""
    found: dict[str, Any] = json.loads((rules_directory() / SCHEMA).read_text(encoding="utf-8"))
    return found


def read(file: PackFile) -> Rule:
    """The rule that a file holds.

    Raises:
        PackError: naming the file, the line and what to do.
    """
    text = _text(file)
    data = _data(file, text)
    for stage in (partial(problems, schema=schema(), root=schema()), _control, _beyond_schema):
        found = [*islice(stage(data), MOST_PROBLEMS)]
        if not found:
            continue
        # The first in the file: what follows may come of it.
        first = min(found, key=lambda problem: line_of(text, problem.place))
        line, name = line_of(text, first.place), _spoken(first.place)
        said = f"`{name}` {first.text}" if name else first.text
        hint = FOLLOWS if first.place[-1:] and first.place[-1] in _OF_MEMLINT else first.hint
        raise PackError(f"{shown(file.path)}:{line}: {said}", hint)
    return _rule(data, file)


def _text(file: PackFile) -> str:
    try:
        return file.data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = file.data[: error.start].count(b"\n") + 1
        raise PackError(f"{shown(file.path)}:{line}: not UTF-8", "save it as UTF-8") from error


def _data(file: PackFile, text: str) -> dict[str, Any]:
    import tomli

    try:
        return tomli.loads(text)
    except ValueError as error:  # most are TOMLDecodeError, but a number of 5000 digits is none
        place = re.search(r"\(at (?:line (\d+)|end of document)", str(error))
        line = place[1] if place and place[1] else text.count("\n") + 1
        said = str(error).partition(" (at ")[0]
        told = f"{shown(file.path)}:{line}: malformed TOML: {said[:1].lower()}{said[1:120]}"
        raise PackError(told, "correct the TOML there") from error
    except RecursionError as error:
        raise PackError(f"{shown(file.path)}:1: nested too deeply", "no rule needs that") from error


def _spoken(place: Place) -> str:
    """A place as people write it: `match[2].edit.rename`, entries counted from 1."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{part[:60]}" for part in place)
    return "".join(parts).removeprefix(".")


def _control(value: object, place: Place = ()) -> Iterator[Problem]:
    """Texts that would drive a terminal, or turn the direction in which it is read."""
    if isinstance(value, str):
        bad = next((char for char in value if char not in "\n\t" and _drives(char)), None)
        if bad is not None:
            yield Problem(place, f"has the control character U+{ord(bad):04X}", "take it out")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _control(item, (*place, at))
    elif isinstance(value, dict):
        for key, item in value.items():
            if any(_drives(char) for char in key):
                yield Problem(place, "has a key with a control character", "take it out")
            yield from _control(item, (*place, key))


def _drives(char: str) -> bool:
    category = unicodedata.category(char)
    turns = category == "Cf" and unicodedata.bidirectional(char) not in ("BN", "ON")
    return category in ("Cc", "Cs", "Zl", "Zp") or turns


# --- what a schema cannot say -----------------------------------------------------------------------------


def _beyond_schema(data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _placeholders(data.get("message", ""), ())
    for at, entry in enumerate(data["match"]):
        yield from _placeholders(entry.get("message", ""), ("match", at))
        yield from _of_match(entry, ("match", at))
    mark = re.compile(rf"#! {data['code']}(?: (?:error|warning|advice))?[ \t]*$", re.MULTILINE)
    fixes = any("edit" in entry for entry in data["match"])
    for title, example in data["bad"].items():
        code = example if isinstance(example, str) else example["code"]
        if mark.search(code) is None:
            hint = f"end each line that must be reported in #! {data['code']}"
            yield Problem(("bad", title), "marks no line", hint)
        if not fixes and re.search(r"^[-+]", code, re.MULTILINE):
            hint = "add one, or leave out the - and +"
            yield Problem(("bad", title), "shows a fix, and no match has an `edit`", hint)
    for title, code in data["good"].items():
        if re.search(rf"#! {data['code']}\b", code):
            yield Problem(("good", title), "marks a line, and nothing may be reported", "take the mark out")


def _placeholders(message: str, place: Place) -> Iterator[Problem]:
    known = ", ".join(f"{{{name}}}" for name in sorted(PLACEHOLDERS))
    try:
        parts = [(name, spec, turn) for _, name, spec, turn in Formatter().parse(message) if name is not None]
    except ValueError as error:
        hint = "write {{ and }} for plain ones"
        yield Problem((*place, "message"), f"has braces that do not fit: {error}", hint)
        return
    for name, spec, turn in parts:
        if name not in PLACEHOLDERS or spec or turn:
            yield Problem((*place, "message"), f"cannot have {{{name[:40]}}}", f"there are {known}")


def _of_match(entry: Mapping[str, Any], place: Place) -> Iterator[Problem]:
    kind, edit = entry.get("kind", "reference"), entry.get("edit", {})
    if (kind == "method") != ("method" in entry):
        yield Problem(place, 'has `method` for kind = "method", and only there', "give both")
    of_calls = [key for key in ("arguments", "with-keyword", "without-keyword") if key in entry]
    if of_calls and kind not in ("call", "method"):
        yield Problem((*place, of_calls[0]), "is about calls", 'write kind = "call"')
    if kind == "method" and any(api.endswith(".*") for api in entry["api"]):
        hint = "name in full what is called to get the object"
        yield Problem((*place, "api"), 'takes no .* where kind = "method"', hint)
    for at, argument in enumerate(entry.get("arguments", ())):
        if len({"given", "equals", "one-of", "not-one-of", "none"} & argument.keys()) > 1:
            hint = "one of given, equals, one-of, not-one-of and none; for two, list the argument twice"
            yield Problem((*place, "arguments", at), "asks for two things", hint)
    yield from _of_edit(kind, edit, (*place, "edit"))


def _of_edit(kind: str, edit: Mapping[str, Any], place: Place) -> Iterator[Problem]:
    if edit and not edit.keys() - {"applicability", "title", "caution"}:
        yield Problem(place, "changes nothing", "add rename, add-keyword, set-keyword, drop-keyword, ...")
    if "rename" in edit and kind == "method":
        yield Problem((*place, "rename"), "is for names", "write rename-method")
    if "rename-method" in edit and kind != "method":
        yield Problem((*place, "rename-method"), 'is for kind = "method"', "write rename")
    given = [key for key in _CALLS_ONLY if key in edit]
    if given and kind not in ("call", "method"):
        yield Problem((*place, given[0]), "changes a call", 'write kind = "call"')
    if any(part[:1].isupper() for part in edit.get("rename", "").split(".")[:-1]):
        hint = "rename to what `from module import name` can import"
        yield Problem((*place, "rename"), "names a part of a class", hint)
    values = [*edit.get("add-keyword", {}).values(), *edit.get("set-keyword", {}).values()]
    for value in (*values, *edit.get("prepend", ())):
        if not _is_plain(value):
            hint = "a literal or a dotted name, as Python writes it: '\"fast\"', 'acme.FAST'"
            yield Problem(place, f"cannot write `{value[:60]}`", hint)
        elif "rename" in edit and is_dotted(value):
            hint = "write a literal, or leave out the rename"
            yield Problem(place, f"cannot import both the new name and `{value[:60]}`", hint)


def _is_plain(code: str) -> bool:
    """Whether Python source is a literal or a dotted name: nothing that a fix writes may do anything."""
    try:
        tree = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    inner = (ast.expr_context, ast.unaryop)
    literal = all(isinstance(node, (*_LITERALS, *inner)) for node in ast.walk(tree))
    return "\n" not in code and (literal or is_dotted(code))


# --- the rule ---------------------------------------------------------------------------------------------


def _rule(data: Mapping[str, Any], file: PackFile) -> Rule:
    entries = tuple(one for at, entry in enumerate(data["match"]) for one in _entries(entry, at))
    edits = [entry["edit"] for entry in entries if "edit" in entry]
    best = max((Applicability(edit["applicability"]) for edit in edits), key=_ORDER.index, default=None)
    variants = {"default": _variant(data, _replacement(entries))}
    for entry in entries:
        if "variant" in entry:
            variants[entry["variant"]] = _variant({**data, **entry}, entry.get("replacement", ""))
    fix = best.value if best is not None else "none"
    return Rule(
        code=data["code"],
        name=data["name"],
        summary=data["summary"],
        certainty=data.get("certainty", ""),
        since=data.get("since", ""),
        frameworks=(),
        fix=fix,
        fix_safety=data.get("fix-safety", "").strip(),
        explanation=data.get("explanation", data["why"]).strip(),
        known_limits=data.get("known-limits", "").strip(),
        references=tuple(data.get("references", ())),
        requires_torch="",
        detector=DETECTOR,
        variants=variants,
        gate=(frozenset(word for entry in entries for word in _words(entry)),),
        matches=entries,
        path=file.path,
        bad=examples.read(data["bad"], {"fix": fix}),
        good=examples.read(data["good"], {"fix": fix}),
        pack=file.pack,
        requires=tuple(data.get("requires", {}).items()),
    )


def _variant(texts: Mapping[str, Any], replacement: str) -> Variant:
    """What is said of a finding; only the message has placeholders."""
    helps = texts.get("help") or (f"use `{replacement}`" if replacement else "")
    return Variant(
        severity=Severity(texts["severity"]),
        message=texts.get("message") or _plain(texts["summary"]),
        why=_plain(texts["why"].strip()),
        help=_plain(helps),
        claim=None,
        concern=CONCERN,
    )


def _plain(text: str) -> str:
    """A text without placeholders as a template: its braces are meant."""
    return re.sub(r"([{}])", r"\1\1", text)


def _entries(entry: Mapping[str, Any], at: int) -> Iterator[dict[str, Any]]:
    """An entry as the reader of tables takes it: one for each argument of which any is meant."""
    without = [{"keyword": name, "given": False} for name in entry.get("without-keyword", ())]
    for name in entry.get("with-keyword", ("",)):
        given = [{"keyword": name, "given": True}] if name else []
        conditions = [*given, *entry.get("arguments", ()), *without]
        yield _entry({**entry, "arguments": conditions}, at)


def _entry(entry: Mapping[str, Any], at: int) -> dict[str, Any]:
    """An entry with its defaults filled in."""
    # What a star import gives is not known of packages in general; that this name is there, the pack says.
    found: dict[str, Any] = {"kind": "reference", "by-star": True, **entry}
    if "edit" in entry:
        found["edit"] = {"applicability": "unsafe", **entry["edit"]}
        found.setdefault("replacement", entry["edit"].get("rename", entry["edit"].get("rename-method", "")))
    if not _TEXTS.isdisjoint(entry):
        found["variant"] = f"match{at + 1}"
    if found["kind"] == "import":
        # Who imports a part of a module imports the module.
        found["api"] = [api.removesuffix(".*") + ".*" for api in entry["api"]]
    return found


def _replacement(entries: tuple[dict[str, Any], ...]) -> str:
    """What takes the place of all that the entries name, where that is one name."""
    names = {entry.get("replacement", "") for entry in entries}
    return names.pop() if len(names) == 1 else ""


def _words(entry: Mapping[str, Any]) -> Iterator[str]:
    """Identifiers one of which stands in every file that an entry concerns."""
    for api in (entry["method"],) if entry["kind"] == "method" else entry["api"]:
        yield api.removesuffix(".*").rpartition(".")[2]
