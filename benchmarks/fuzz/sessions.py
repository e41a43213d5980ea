"""Session files that were changed, and what must hold of the pages and reports that are made of them."""

from __future__ import annotations

import copy
import importlib
import io
import json
import random
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

POISON = "</script><!--<script>\"'><img src=x onerror=alert(1)>\x1b[31m\x9b\n::error::\u202e"
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**63, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", POISON,
    "x" * 5000, "\ud800", [], {}, [[]], [{}], [None], {"": None}, [0, 0, 0], "train.py", "warning",
    "forward", "cpu",
]  # fmt: skip


def changed(document: Any, pick: random.Random, count: int = 3) -> Any:
    """A JSON document with up to `count` values replaced, removed, doubled, exchanged or renamed."""
    document = copy.deepcopy(document)
    for _ in range(count):
        places = list(_places(document))
        if not places:
            break
        holder, key = pick.choice(places)
        pick.choice(_CHANGES)(holder, key, pick, places)
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (dict, key) and (list, index) of a document."""
    pending = [value]
    while pending:
        holder = pending.pop()
        pairs = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
        for key, inner in pairs:
            yield holder, key
            if isinstance(inner, (dict, list)):
                pending.append(inner)


def _replace(holder: Any, key: Any, pick: random.Random, places: list[tuple[Any, Any]]) -> None:
    holder[key] = copy.deepcopy(pick.choice(VALUES))


def _nudge(holder: Any, key: Any, pick: random.Random, places: list[tuple[Any, Any]]) -> None:
    value = holder[key]
    if isinstance(value, str):
        holder[key] = pick.choice([value + POISON, POISON + value, value.upper(), value[::-1]])
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        holder[key] = pick.choice([-value, value + 1, value * 10**6, value - 1, 0, type(value)(3)])
    else:
        _replace(holder, key, pick, places)


def _remove(holder: Any, key: Any, pick: random.Random, places: list[tuple[Any, Any]]) -> None:
    del holder[key]


def _repeat(holder: Any, key: Any, pick: random.Random, places: list[tuple[Any, Any]]) -> None:
    if isinstance(holder, list):
        holder[key:key] = [copy.deepcopy(holder[key])] * pick.choice([1, 30])
    else:
        holder[pick.choice(["", POISON, "0", f"{key}s"])] = copy.deepcopy(holder[key])


def _lend(holder: Any, key: Any, pick: random.Random, places: list[tuple[Any, Any]]) -> None:
    other, its = pick.choice(places)
    holder[key] = copy.deepcopy(other[its])


_CHANGES: list[Callable[[Any, Any, random.Random, list[tuple[Any, Any]]], None]] = [
    _replace, _nudge, _nudge, _nudge, _remove, _repeat, _lend,
]  # fmt: skip


def broken(data: bytes) -> list[str]:
    """What does not hold of the answer to a session file: refused in a sentence, or shown harmlessly."""
    from memlint.errors import SourceError
    from memlint.session_file import from_json

    try:
        session = from_json(data.decode("utf-8", "surrogatepass"), "s.json")
    except SourceError as error:
        return [] if str(error).isprintable() else [f"a message that is not plain: {error}"]
    except UnicodeDecodeError:
        return []
    options = importlib.import_module("memlint.report.summary").RenderOptions()
    page = importlib.import_module("memlint.report.session.html").render(session)
    importlib.import_module("memlint.report.session.speedscope").render(session)
    written = []
    text = "session.report" if session.fit is None else "fit.text"
    for module, function in ((text, "render"), ("session.json", "render"), ("ci.sarif", "render_session")):
        out = io.StringIO()
        getattr(importlib.import_module(f"memlint.report.{module}"), function)(session, out, options)
        written.append(out.getvalue())
    json.loads(written[1])
    json.loads(written[2])
    return [*_harmful_page(page), *_harmful_text(written[0])]


class _Page(HTMLParser):
    """What a page holds that could run or load something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.harm: list[str] = []
        self.scripts = 0
        self.policy = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.harm += [tag] if tag in ("img", "iframe", "object", "embed", "link", "base", "form") else []
        self.harm += [
            f"{tag} {name}" for name, _ in attrs if name.startswith("on") or name in ("src", "srcset")
        ]
        given = dict(attrs)
        self.harm += [
            f"{tag} href" for _ in [0] if not (given.get("href") or "#").startswith(("#", "https://"))
        ]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given.get("content") or ""


def _harmful_page(page: str) -> Iterator[str]:
    found = _Page(page)
    yield from (f"page: {harm}" for harm in found.harm)
    if found.scripts > 2:
        yield f"page: {found.scripts} scripts"
    if not found.policy.startswith("default-src 'none'"):
        yield "page: no policy"


def _harmful_text(text: str) -> Iterator[str]:
    from memlint.plain import clean

    for line in text.split("\n"):
        if clean(line) != line or line.startswith("::"):
            yield f"text: {line[:80]!r}"
