"""Cheap questions that decide whether a file needs the analyser at all.

All gates are necessary conditions: a file that fails one cannot carry a finding of the rules it guards.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection

# `memlint:` lets an unused suppression comment be found in a file that no longer mentions torch. The
# environment variables may be set by a helper that mentions it nowhere else.
_FRAMEWORKS = (
    r"torch|tensorflow|keras|lightning|accelerate|apex|deepspeed|transformers|fastai|ignite|memlint:"
    r"|CUDA_VIS|_ALLOC_CONF"
)
_MENTIONS = re.compile(_FRAMEWORKS.encode())

TENSORFLOW = frozenset({"tensorflow", "keras", "tf_keras", "tensorflow_core"})
"""The packages of which a file must import one before the rules for TensorFlow and Keras concern it."""

# A script that the user names may get its framework from a module of its own, but not its vocabulary.
_TRAINS = re.compile(
    rf"{_FRAMEWORKS}|[Bb]ackward|[Ll]oss|LOSS|criterion|_grad\b|[Oo]ptim|[Mm]odel|[Ll]oaders?\b|\bnet\b|cuda|\bgym|\btf\b"
)

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.For: "for",
    ast.AsyncFor: "for",
    ast.comprehension: "for",
    ast.While: "while",
    ast.With: "with",
    ast.AsyncWith: "with",
    ast.AugAssign: "augassign",
}


def is_notebook(path: str) -> bool:
    """Whether a path names a notebook."""
    return path.endswith(".ipynb")


def mentions_framework(data: bytes) -> bool:
    """Whether the bytes of a file mention any framework that the rules speak of."""
    return _MENTIONS.search(data) is not None


def has_word(data: bytes, words: Collection[str]) -> bool:
    """Whether the bytes of a file hold one of some identifiers."""
    return any(word.encode() in data for word in words)


def may_help(data: bytes) -> bool:
    """Whether a file that mentions no framework may be a part of a project that trains."""
    return may_train(data.decode("utf-8", "replace"))


def may_train(text: str) -> bool:
    """Whether a text has any word without which no rule has anything to say, be it in a comment."""
    return _TRAINS.search(text) is not None


def speaks_of_training(text: str, words: frozenset[str]) -> bool:
    """As `may_train`, but outside of a framework's name only the identifiers `words` count."""
    return _MENTIONS.search(text.encode("utf-8", "replace")) is not None or may_train("\n".join(words))


def is_unrelated(data: bytes) -> bool:
    """Whether a file is plain Python that no rule, and no complaint about a comment, can concern."""
    try:
        text = data.decode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return not may_train(text) and "noqa" not in text and ast.parse(data) is not None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def vocabulary(tree: ast.AST) -> frozenset[str]:
    """Every identifier of a module and the keywords of its loops, `with` and augmented assignments."""
    words: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        # Most nodes are one of these, and have no part beside those that are looked at here.
        if kind is ast.Name:
            words.add(node.id)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            words.add(node.attr)  # type: ignore[attr-defined]
            pending.append(node.value)  # type: ignore[attr-defined]
        elif kind is not ast.Constant:
            if kind in _STATEMENTS:
                words.add(_STATEMENTS[kind])
            for name in node._fields:
                _take(getattr(node, name, None), words, pending)
    return frozenset(words)


def _take(value: object, words: set[str], pending: list[ast.AST]) -> None:
    """Add what a field of a node holds to the words, or to the nodes that are still to be looked at."""
    if isinstance(value, list):
        for item in value:
            _take(item, words, pending)
    elif isinstance(value, str):
        words.update(value.split("."))
    elif isinstance(value, ast.AST):
        pending.append(value)


def imports(tree: ast.Module) -> list[str]:
    """The dotted paths that the import statements at the top of a module bind, `from` names included."""
    found: list[str] = []
    pending: list[ast.stmt] = [*tree.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [dotted for _, dotted in bound(node)]
        elif isinstance(node, (ast.If, ast.Try)):
            pending += [*node.body, *node.orelse]
    return found


def runs(tree: ast.Module) -> bool:
    """Whether a module does more than bind names: it calls something for its effect, or has a main part."""
    pending: list[ast.stmt] = [*tree.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return True
        if isinstance(node, ast.If) and "__main__" in ast.dump(node.test):
            return True
        if isinstance(node, (ast.If, ast.Try)):
            pending += [*node.body, *node.orelse]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            pending += node.body
    return False


def bound(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str]]:
    """The names that an import statement binds, each with its dotted path."""
    if isinstance(node, ast.Import):
        # `import a.b` binds `a`.
        return [(a.asname, a.name) if a.asname else (a.name.partition(".")[0],) * 2 for a in node.names]
    module = "." * node.level + (f"{node.module}." if node.module else "")
    return [(a.asname or a.name, module + a.name) for a in node.names]


def may_use(frameworks: Collection[str], words: frozenset[str] | None) -> bool:
    """Whether a file may use one of the frameworks that a rule is for; only TensorFlow has to be imported.

    In a snippet without imports, `tf` is TensorFlow.
    """
    if words is None or not frameworks or not TENSORFLOW.issuperset(frameworks):
        return True
    return not TENSORFLOW.isdisjoint(words) or "tf" in words


def passes(gate: Collection[Collection[str]], words: frozenset[str] | None) -> bool:
    """Whether every group of a rule's gate has a word in the file; None stands for an unknown file."""
    return words is None or all(not words.isdisjoint(group) for group in gate)
