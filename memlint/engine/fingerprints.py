"""The names of findings by which baselines and editors know them again when the lines of a file move."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memlint.finding import Finding
from memlint.source.text import line_starts


def numbered(
    findings: Sequence[Finding], text: str, tree: ast.Module | None, identity: str
) -> tuple[Finding, ...]:
    """The findings in report order, each once, with fingerprints that survive a move within the file.

    A content fingerprint is made of the same but for the path: it survives a new name of the file.

    `tree` is None for a text that Python cannot parse; `identity` is the path of the file in its project.
    """
    if not findings:
        return ()
    from hashlib import blake2b

    def digest(*parts: str) -> str:
        return blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    seen: Counter[tuple[str, str, str]] = Counter()
    scopes = sorted(_scopes(tree)) if tree is not None else []
    unique = {(f.code, f.span, f.message): f for f in findings}
    starts = [*line_starts(text), len(text)]
    result = []
    for finding in sorted(unique.values(), key=lambda f: f.sort_key):
        span = finding.span
        begin = starts[span.line - 1] + span.column - 1
        source = text[begin : starts[span.end_line - 1] + span.end_column - 1]
        scope = ".".join(name for first, last, name in scopes if first <= span.line <= last)
        key = (finding.code, scope, " ".join(source.split()))
        count = str(seen[key])
        seen[key] += 1
        named = digest(finding.code, identity, *key[1:], count)
        result.append(replace(finding, fingerprint=named, content_fingerprint=digest(*key, count)))
    return tuple(result)


def _scopes(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """First line, last line and name of every function and class; only statements can hold them."""
    pending: list[ast.AST] = [*tree.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.end_lineno or node.lineno, node.name
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            inner = getattr(node, block, None)
            if isinstance(inner, list):
                pending += inner
