"""Where nodes stand in the text, found in one code generation pass.

The stock metadata providers compute the position of every node; a file with a finding needs a few.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from itertools import accumulate

import libcst as cst

# Not exported by libcst, but the only hook from which its own position providers are built.
from libcst._nodes.internal import CodegenState

from memlint.finding import Span
from memlint.records import dataclass
from memlint.source.text import line_starts

_NOTHING = nullcontext()


@dataclass(frozen=True, slots=True)
class Layout:
    """The text of a module and the extents (begin and end offset, in code points) of some nodes."""

    text: str
    starts: list[int]
    extents: dict[cst.CSTNode, tuple[int, int]]

    def line(self, offset: int) -> int:
        """The 0-based number of the line that holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def line_start(self, offset: int) -> int:
        """Offset of the first code point of the line that holds an offset."""
        return self.starts[self.line(offset)]

    def next_line(self, offset: int) -> int:
        """Offset of the line after the one that holds an offset; the length of the text at its end."""
        line = self.line(offset) + 1
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def spans(self, nodes: Iterable[cst.CSTNode]) -> dict[cst.CSTNode, Span]:
        """The spans of those of the nodes whose extent is known."""
        return {n: self.span(*self.extents[n]) for n in dict.fromkeys(nodes) if n in self.extents}

    def span(self, begin: int, end: int) -> Span:
        """The span between two offsets."""
        first, last = self.line(begin), self.line(end)
        return Span(first + 1, begin - self.starts[first] + 1, last + 1, end - self.starts[last] + 1)


def code_of(node: cst.CSTNode, module: cst.Module) -> str:
    """The code of a node in a module, as `Module.code_for_node` generates it."""
    writer = _Writer(module.default_indent, module.default_newline)
    node._codegen(writer)
    return "".join(writer.tokens)


_TEXT_OR_COMMENT = re.compile(r"""("[^"]*"|'[^']*')|#.*""")


def on_one_line(code: str, *, in_brackets: bool = False) -> str:
    """Code of several lines on one, without comments, as a formatter would write it there: nothing between
    brackets and what they hold, nor before the dot that goes on with a chain.

    `in_brackets`: whether the outermost ones only let it go over several lines; they are left out then.
    """
    lines, text = code.splitlines(), ""
    for line in lines:
        part = " ".join(_TEXT_OR_COMMENT.sub(r"\1", line).rstrip().removesuffix("\\").split())
        joined = not text or not part or text[-1] in "([{" or part[0] in ".)]}"
        text += part if joined else f" {part}"
    return text[1:-1] if in_brackets and len(lines) > 1 else text


def spans(module: cst.Module, nodes: Iterable[cst.CSTNode]) -> dict[cst.CSTNode, Span]:
    """The spans of `nodes`; a node that is not part of the module is absent.

    A span leaves out what surrounds a node: whitespace, comments, the comma of an argument, the
    parentheses around an expression, the decorators of a function (it starts at `def` or `async`).
    A compound statement ends where the last statement of its last block ends.
    """
    wanted = list(nodes)
    return layout(module, wanted).spans(wanted)


def layout(
    module: cst.Module, nodes: Iterable[cst.CSTNode], kinds: frozenset[type[cst.CSTNode]] = frozenset()
) -> Layout:
    """The text of a module with the extents of `nodes` and of every node whose type is in `kinds`."""
    recorder = _Recorder(module, {id(node) for node in nodes}, kinds)
    module._codegen(recorder)
    text = "".join(recorder.tokens)
    # A newline that libcst takes back at the end of the file leaves indices one past the last token.
    offsets = [0, *accumulate(map(len, recorder.tokens)), len(text)]
    extents = {node: (offsets[begin], offsets[end]) for node, (begin, end) in recorder.found.items()}
    return Layout(text, line_starts(text), extents)


class _Writer(CodegenState):
    """Code generation that notes no positions.

    The base method is a generator context manager; a shared null context is several times cheaper.
    """

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> AbstractContextManager[None]:
        return _NOTHING


class _Recorder(_Writer):
    """Notes between which tokens of the generated code the wanted nodes stand.

    It is asked about every node of the file, and the hash of a node is a Python method: hence identities.
    """

    def __init__(self, module: cst.Module, wanted: set[int], kinds: frozenset[type[cst.CSTNode]]) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.wanted = wanted
        self.kinds = kinds
        self.found: dict[cst.CSTNode, tuple[int, int]] = {}
        self._opened: dict[int, int] = {}

    def before_codegen(self, node: cst.CSTNode) -> None:
        if type(node) in self.kinds or id(node) in self.wanted:
            self._opened[id(node)] = len(self.tokens)

    def after_codegen(self, node: cst.CSTNode) -> None:
        begin = self._opened.pop(id(node), None)
        if begin is not None and node not in self.found:
            self.found[node] = (begin, len(self.tokens))

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> AbstractContextManager[None]:
        if id(node) not in self.wanted and type(node) not in self.kinds:
            return _NOTHING
        self.wanted.update(id(other) for other in (start_node, end_node) if other is not None)
        return _Stretch(self, node, start_node, end_node)


@dataclass(eq=False, slots=True)
class _Stretch:
    """Notes where a node stands whose code is generated as long as the context lasts."""

    recorder: _Recorder
    node: cst.CSTNode
    start_node: cst.CSTNode | None
    end_node: cst.CSTNode | None
    begin: int = 0

    def __enter__(self) -> None:
        self.begin = len(self.recorder.tokens)

    def __exit__(self, *failure: object) -> None:
        found, start, end = self.recorder.found, self.start_node, self.end_node
        found[self.node] = (
            self.begin if start is None else found[start][0],
            len(self.recorder.tokens) if end is None else found[end][1],
        )
