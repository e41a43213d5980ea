"""A small stand-in for the script model, and nodes found by the text they start with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.match import Change, Plan
from memlint.edit.lower import lower
from memlint.finding import Applicability, Fix
from memlint.source.text import apply_edits
from memlint.syntax.tree import children, walk


@dataclass(frozen=True)
class Script:
    """What `memlint.edit.places.Tree` asks for, read from a text."""

    module: cst.Module = field(repr=False)
    text: str
    parents: dict[cst.CSTNode, cst.CSTNode] = field(repr=False)

    @classmethod
    def read(cls, text: str) -> Script:
        module = cst.parse_module(text)
        return cls(module, text, {child: node for node in walk(module) for child in children(node)})

    @property
    def notebook(self) -> bool:
        return False

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.parents.get(node)

    def code(self, node: cst.CSTNode) -> str:
        return self.module.code_for_node(node).strip()

    def small(self, start: str) -> cst.BaseSmallStatement:
        """The first small statement whose code starts with `start`."""
        return next(
            node
            for node in walk(self.module)
            if isinstance(node, cst.BaseSmallStatement) and self.code(node).startswith(start)
        )

    def statement(self, start: str) -> cst.BaseStatement:
        """The first whole line or compound statement whose code, after its comments, starts with `start`."""
        for node in walk(self.module):
            if isinstance(node, cst.BaseStatement):
                bare = node.with_changes(leading_lines=()) if hasattr(node, "leading_lines") else node
                if self.code(bare).startswith(start):
                    return node
        raise LookupError(start)

    def expression(self, code: str) -> cst.CSTNode:
        """The first expression or argument that reads `code`."""
        return next(
            node
            for node in walk(self.module)
            if isinstance(node, (cst.BaseExpression, cst.Arg)) and self.code(node) == code
        )


def fix_of(script: Script, *changes: Change) -> Fix | None:
    """The fix that a plan of these changes gives."""
    return lower(Plan(Applicability.SAFE, "fix it", changes), script)


def fixed_text(script: Script, *changes: Change) -> str | None:
    """The text after the changes, None when they are refused."""
    fix = fix_of(script, *changes)
    return None if fix is None else apply_edits(script.text, list(fix.edits))


Changes = Callable[[Script], Change | tuple[Change, ...]]


def after(text: str, changes: Changes) -> str | None:
    """The text after changes that are made up from its script."""
    script = Script.read(text)
    wanted = changes(script)
    return fixed_text(script, *(wanted if isinstance(wanted, tuple) else (wanted,)))
