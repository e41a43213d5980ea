"""Data against a JSON schema, as far as `rules/_pack_schema.json` needs it, and lines of a TOML text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memlint.records import dataclass

Place = tuple[str | int, ...]
"""Keys and indices that lead to a value: ("match", 0, "api")."""
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
}  # fmt: skip
_SPOKEN = {
    "object": "a table", "array": "a list", "string": "a string", "integer": "a whole number",
    "number": "a number", "boolean": "true or false",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the value at a place, as the end of a sentence, and what to do."""

    place: Place
    text: str
    hint: str = ""


def problems(
    value: object, schema: Mapping[str, Any], root: Mapping[str, Any], place: Place = ()
) -> Iterator[Problem]:
    """What a schema has against a value; `root` holds the definitions."""
    schema = _meant(schema, root)
    if "anyOf" in schema:
        choices = [_meant(one, root) for one in schema["anyOf"]]
        fitting = [one for one in choices if _is(value, one["type"])]
        if not fitting:
            wanted = " or ".join(dict.fromkeys(_SPOKEN[one["type"]] for one in choices))
            yield Problem(place, f"must be {wanted}, not {_kind(value)}")
            return
        schema = fitting[0]
    if "type" in schema and not _is(value, schema["type"]):
        yield Problem(place, f"must be {_SPOKEN[schema['type']]}, not {_kind(value)}")
    elif "enum" in schema and value not in schema["enum"]:
        yield Problem(place, f"must be one of {', '.join(map(str, schema['enum']))}")
    elif isinstance(value, str):
        yield from _of_text(value, schema, place)
    elif isinstance(value, list):
        yield from _of_size(len(value), schema, "Items", place)
        for at, item in enumerate(value[: schema.get("maxItems", 1000)]):
            yield from problems(item, schema.get("items", {}), root, (*place, at))
    elif isinstance(value, dict):
        yield from _of_table(value, schema, root, place)
    elif isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield Problem(place, f"must be between {schema['minimum']} and {schema['maximum']}")


def _meant(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return found


def _is(value: object, wanted: str) -> bool:
    return isinstance(value, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))


def _kind(value: object) -> str:
    names = (name for name in ("boolean", "object", "array", "string", "number") if _is(value, name))
    return next((_SPOKEN[name] for name in names), "a date or time")


def _of_text(text: str, schema: Mapping[str, Any], place: Place) -> Iterator[Problem]:
    if len(text) > schema.get("maxLength", len(text)):
        most = schema["maxLength"]
        yield Problem(place, f"has {len(text)} characters, {most} at most are allowed", "shorten it")
    elif len(text) < schema.get("minLength", 0):
        yield Problem(place, "is empty")
    elif "pattern" in schema and re.search(schema["pattern"].replace("$", r"\Z"), text) is None:
        hint = schema.get("description", "")
        yield Problem(place, f"cannot be {text[:60]!r}", hint)


def _of_size(size: int, schema: Mapping[str, Any], of: str, place: Place) -> Iterator[Problem]:
    least, most = schema.get(f"min{of}", 0), schema.get(f"max{of}", size)
    if size < least:
        yield Problem(place, f"needs {least} at least")
    elif size > most:
        yield Problem(place, f"has {size} entries, {most} at most are allowed")


def _of_table(
    table: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], place: Place
) -> Iterator[Problem]:
    yield from _of_size(len(table), schema, "Properties", place)
    for key in schema.get("required", ()):
        if key not in table:
            about = schema["properties"][key].get("description", "")
            yield Problem(place, f"`{key}` is missing", about)
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, value in table.items():
        if key in known:
            yield from problems(value, known[key], root, (*place, key))
        elif others is False:
            yield Problem((*place, key), "is no key that memlint knows here", _near(key, known))
        else:
            named = {"type": "string", **schema.get("propertyNames", {})}
            for one in problems(key, named, root, (*place, key)):
                yield Problem(one.place, f"(its name) {one.text}", one.hint)
            if isinstance(others, dict):
                yield from problems(value, others, root, (*place, key))


def _near(key: str, known: Mapping[str, Any]) -> str:
    import difflib

    near = difflib.get_close_matches(key[:100], known, 1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}"


# --- lines ------------------------------------------------------------------------------------------------


def line_of(text: str, place: Place) -> int:
    """The line, from 1, on which the value at a place is written, or the nearest around it that is found."""
    lines = _without_texts(text)
    at = 0
    for step, part in enumerate(place):
        if isinstance(part, int):
            at = _entry(lines, at, str(place[step - 1]), part)
            continue
        key = re.escape(str(part))
        wanted = re.compile(rf"""(?:^|[\s{{,.\[])["']?{key}["']?\s*(?:=|[\].])""")
        found = next((n for n in range(at, len(lines)) if wanted.search(lines[n])), None)
        at = found if found is not None else at
    return at + 1


def _entry(lines: list[str], at: int, name: str, number: int) -> int:
    """Where the entry of a number begins, in a list of tables or of values that begins at a line."""
    header = re.compile(rf"\s*\[\[\s*(?:[\w.-]+\.)?{re.escape(name)}\s*\]\]")
    heads = [n for n in range(at, len(lines)) if header.match(lines[n])]
    if heads:
        return heads[min(number, len(heads) - 1)]
    entries = [n for n in range(at, len(lines)) if re.search(r"^\s*[\[{\"']|[=\[]\s*[\[{\"']", lines[n])]
    return entries[number] if number < len(entries) else at


def _without_texts(text: str) -> list[str]:
    """The lines of a TOML text, those inside of texts over several lines left blank."""
    found: list[str] = []
    mark = ""
    for line in text.splitlines():
        if mark:
            found.append("")
            mark = "" if mark in line else mark
            continue
        found.append(line)
        begun = re.search(r"'''|\"\"\"", line)
        if begun is not None and line.count(begun[0]) == 1:
            mark = begun[0]
    return found
