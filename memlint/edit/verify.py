"""What must hold of a text after it was edited: it is still Python, and no comment is lost."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections import Counter

_PRAGMA = re.compile(
    r"#\s*(noqa(:\s*[\w, ]+)?|type:\s*ignore(\[.*\])?|pyright:\s*ignore(\[.*\])?|pylint:\s*disable=[\w, -]+"
    r"|pragma:\s*no (cover|branch)|nosec(\s+\w+)*|fmt:\s*skip|yapf:\s*disable)\s*"
)


def is_pragma(comment: str) -> bool:
    """Whether a comment tells another tool about its line and nothing else: `# noqa: E501`."""
    return _PRAGMA.fullmatch(comment) is not None


def still_parses(new: str, old: str) -> bool:
    """Whether `new` is Python: to this interpreter, or to libcst if only that could read `old`."""
    return _accepts(new, ast.PyCF_ONLY_AST) or (not _accepts(old, ast.PyCF_ONLY_AST) and _libcst_accepts(new))


def still_compiles(new: str, old: str) -> bool:
    """As `still_parses`, with everything checked that compiling checks (such as `__future__` first)."""
    return _accepts(new, 0) or (not _accepts(old, 0) and _libcst_accepts(new))


def comments(text: str) -> Counter[str]:
    """How often each comment occurs; of a text that cannot be tokenized, up to the error."""
    found: Counter[str] = Counter()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                found[token.string.rstrip()] += 1
    except (tokenize.TokenError, SyntaxError):
        return found
    return found


def _accepts(text: str, flags: int) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<fixed>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _libcst_accepts(text: str) -> bool:
    # Imported here, so that applying fixes costs nothing before there is one.
    import libcst

    try:
        libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        return False
    return True
