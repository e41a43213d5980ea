"""Edits against rewrites of the tree, on library modules and on generated programs.

Two oracles: libcst's own tree rewriting for the bytes, `ast` for what must and must not change.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence

import libcst as cst
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from memlint.analysis.match import Change, Decorate, InsertAfter, InsertBefore, Remove, Replace, Wrap
from memlint.edit.verify import comments
from memlint.syntax.spans import spans
from memlint.syntax.tree import walk
from tests.scripts import Script, fixed_text
from tests.test_spans import stdlib_source

MODULES = ["contextlib", "textwrap", "sched"]
NEW = "if new:\n    new()\nelse:\n    pass"
HEADER = "with wrap():"


def sample(nodes: Sequence[cst.CSTNode], count: int) -> list[cst.CSTNode]:
    return random.Random(7).sample(list(nodes), min(count, len(nodes)))


def statements(script: Script) -> list[cst.CSTNode]:
    """Every statement that has a place of its own: lines, parts of lines, compound statements."""
    found: list[cst.CSTNode] = []
    for node in walk(script.module):
        in_block = isinstance(script.parent(node), (cst.Module, cst.IndentedBlock))
        if isinstance(node, cst.BaseSmallStatement) or (
            isinstance(node, cst.BaseCompoundStatement) and in_block
        ):
            found.append(node)
    return found


@pytest.mark.parametrize("name", MODULES)
def test_replacing_equals_the_rewrite_of_the_tree(name: str) -> None:
    script = Script.read(stdlib_source(name))
    wanted = [
        node
        for node in walk(script.module)
        if isinstance(node, (cst.Call, cst.Comparison, cst.Name, cst.Subscript))
        and not node.lpar
        and isinstance(script.parent(node), (cst.Arg, cst.AugAssign, cst.Assign, cst.Return, cst.Comparison))
        and node is not getattr(script.parent(node), "keyword", None)
        and "#" not in script.code(node)
    ]
    assert len(wanted) > 30
    for node in sample(wanted, 12):
        new = cst.parse_expression("fresh(1)[0].x")
        rewritten = script.module.deep_replace(node, new)
        assert isinstance(rewritten, cst.Module)
        assert fixed_text(script, Replace(node, "fresh(1)[0].x")) == rewritten.code


@pytest.mark.parametrize("name", MODULES)
def test_removing_equals_the_rewrite_of_the_tree(name: str) -> None:
    script = Script.read(stdlib_source(name))
    wanted = [
        node
        for node in walk(script.module)
        if isinstance(node, cst.SimpleStatementLine)
        and not node.leading_lines
        and "#" not in script.code(node)
        and len(getattr(script.parent(node), "body", ())) > 1
    ]
    for node in sample(wanted, 10):
        rewritten = script.module.deep_remove(node)
        assert isinstance(rewritten, cst.Module)
        assert fixed_text(script, Remove(node)) == rewritten.code


@pytest.mark.parametrize("name", MODULES)
def test_wrapping_equals_the_rewrite_of_the_tree(name: str) -> None:
    script = Script.read(stdlib_source(name))
    template = cst.ensure_type(cst.parse_statement(f"{HEADER}\n    pass"), cst.With)
    wanted = [
        node
        for node in walk(script.module)
        if isinstance(node, (cst.If, cst.For, cst.While, cst.With, cst.Try, cst.SimpleStatementLine))
        and isinstance(script.parent(node), (cst.Module, cst.IndentedBlock))
        and "\\\n" not in script.code(node)
    ]
    for node in sample(wanted, 12):
        assert isinstance(node, (cst.If, cst.SimpleStatementLine, cst.For, cst.While, cst.With, cst.Try))
        bare = node.with_changes(leading_lines=())
        block = template.with_changes(leading_lines=node.leading_lines, body=cst.IndentedBlock([bare]))
        rewritten = script.module.deep_replace(node, block)
        assert isinstance(rewritten, cst.Module)
        assert fixed_text(script, Wrap((node,), HEADER)) == rewritten.code


def find(tree: ast.Module, text: str, line: int, column: int) -> tuple[list[ast.stmt], int]:
    """The list that holds the statement which starts at a position, and its index."""
    offset = len(text.splitlines()[line - 1][: column - 1].encode())
    for parent in ast.walk(tree):
        for _, body in ast.iter_fields(parent):
            for index, node in enumerate(body if isinstance(body, list) else []):
                if isinstance(node, ast.stmt) and (node.lineno, node.col_offset) == (line, offset):
                    return body, index
    raise LookupError((line, column))


def expected(script: Script, change: Change) -> str:
    """The syntax tree that must come out, made by changing that of the original with `ast`."""
    tree = ast.parse(script.text)
    if isinstance(change, Wrap):
        nodes: Sequence[cst.CSTNode] = change.statements
    elif isinstance(change, Decorate):
        nodes = (change.function,)
    else:
        assert isinstance(change, (InsertBefore, InsertAfter, Remove))
        nodes = (change.statement,)
    where = spans(script.module, nodes)
    body, index = find(tree, script.text, where[nodes[0]].line, where[nodes[0]].column)
    new = ast.parse(NEW).body
    match change:
        case InsertBefore():
            body[index:index] = new
        case InsertAfter():
            body[index + 1 : index + 1] = new
        case Remove():
            del body[index]
            if not body and body is not tree.body:
                body.append(ast.Pass())
        case Wrap():
            wrapper = ast.parse(f"{HEADER}\n    pass").body[0]
            assert isinstance(wrapper, ast.With)
            last, end = find(tree, script.text, where[nodes[-1]].line, where[nodes[-1]].column)
            assert last is body
            count = len(nodes[-1].body) if isinstance(nodes[-1], cst.SimpleStatementLine) else 1
            wrapper.body = body[index : end + count]
            body[index : end + count] = [wrapper]
        case Decorate():
            function = body[index]
            assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
            function.decorator_list.append(ast.Name("new", ast.Load()))
    return ast.dump(tree)


def check_change(script: Script, change: Change) -> None:
    got = fixed_text(script, change)
    assert got is not None, (script.text, change)
    assert ast.dump(ast.parse(got)) == expected(script, change), got
    assert not comments(script.text) - comments(got)
    if script.module.default_newline == "\r\n":
        assert got.count("\n") == got.count("\r\n")


def changes_of(script: Script, node: cst.CSTNode, pick: random.Random) -> list[Change]:
    """Every kind of change that can be made at a statement."""
    found: list[Change] = [InsertBefore(node, NEW), InsertAfter(node, NEW)]
    shared = isinstance(node, cst.BaseSmallStatement) and "#" in script.code(node)
    if not shared and not isinstance(node, cst.Pass):
        found.append(Remove(node))
    if isinstance(node, cst.FunctionDef):
        found.append(Decorate(node, "@new"))
    parent = script.parent(node)
    if isinstance(parent, (cst.Module, cst.IndentedBlock)):
        lines = [line for line in parent.body if isinstance(line, cst.BaseStatement)]
        index = lines.index(node)  # type: ignore[arg-type]
        found.append(Wrap(tuple(lines[index : index + pick.randint(1, 3)]), HEADER))
    else:
        found.append(Wrap((node,), HEADER))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("name", MODULES)
def test_only_what_is_named_changes_in_a_library_module(name: str) -> None:
    script = Script.read(stdlib_source(name))
    for node in sample(statements(script), 6):
        for change in changes_of(script, node, random.Random(3)):
            check_change(script, change)


class Writer:
    """Writes a random program in which every statement is unique and no layout is too odd."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick
        self.step = pick.choice(["    ", "  ", "\t"])
        self.count = 0

    def program(self) -> str:
        text = "\n".join(self.block(0, "")) + self.pick.choice(["", "\n", "\n\n# end\n"])
        return text.replace("\n", self.pick.choice(["\n", "\r\n"]))

    def block(self, depth: int, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self.pick.randint(1, 3)):
            lines += self.pick.choice([[], [], [""], [f"{indent}# {self.serial()}"], [f"# {self.serial()}"]])
            lines += (
                self.compound(depth, indent) if depth < 3 and self.pick.random() < 0.5 else self.line(indent)
            )
        return lines + self.pick.choice([[], [], [f"{indent}# {self.serial()}"], ["  "]])

    def line(self, indent: str) -> list[str]:
        return [indent + self.joined()]

    def joined(self) -> str:
        parts = [self.small() for _ in range(self.pick.choice([1, 1, 1, 2, 3]))]
        separator = self.pick.choice(["; ", ";", " ;  "])
        return separator.join(parts) + self.pick.choice(["", "", ";"]) + self.comment()

    def small(self) -> str:
        name = f"s{self.serial()}"
        return self.pick.choice(
            [
                f"{name}()",
                f"{name}(a,\n  b)",
                f"{name}(\n# {self.serial()}\n{self.step}a,  # {self.serial()}\n)",
                f"{name} = '''x\n  y\n# no comment\n'''",
                f'{name} = f"""{{a}}\n  {{b}}""" + \\\n   c',
                f"({name}).x = (é)",
                "pass",
            ]
        )

    def compound(self, depth: int, indent: str) -> list[str]:
        name = f"c{self.serial()}"
        decorated = f"@d\n{indent}@e(\n1)\n{indent}async def {name}()"
        header = self.pick.choice(
            [
                *(f"if {name}", f"for x in {name}", f"while ({name}\n  and y)", f"with {name} as z"),
                *(f"class {name}", f"def {name}(a=1,\n b=2)", decorated, "try"),
            ]
        )
        lines = [f"{indent}{header}:{self.comment()}", *self.block(depth + 1, indent + self.step)]
        if self.pick.random() < 0.3:
            lines = [f"{indent}{header}:{self.pick.choice(['', ' ', '   '])}{self.joined()}"]
        if header == "try":
            lines += self.clause(depth, indent, self.pick.choice(["except E", "finally"]))
        elif header.startswith(("if", "for", "while")) and self.pick.random() < 0.4:
            lines += self.clause(depth, indent, "else")
        if header.startswith("if") and self.pick.random() < 0.2:
            at = [f"{indent}elif {name}: {self.joined()}"]
            lines = lines + at if not any(x.startswith(f"{indent}else") for x in lines) else lines
        return lines

    def clause(self, depth: int, indent: str, header: str) -> list[str]:
        if self.pick.random() < 0.4:
            return [f"{indent}{header}: {self.joined()}"]
        return [f"{indent}{header}:{self.comment()}", *self.block(depth + 1, indent + self.step)]

    def comment(self) -> str:
        return self.pick.choice(["", "", f"  # {self.serial()}"])

    def serial(self) -> int:
        self.count += 1
        return self.count


# No shrinking: the programs are small, and to shrink one takes minutes.
@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.randoms(use_true_random=False))
def test_only_what_is_named_changes_in_a_generated_program(pick: random.Random) -> None:
    text = Writer(pick).program()
    ast.parse(text)
    script = Script.read(text)
    node = pick.choice(statements(script))
    check_change(script, pick.choice(changes_of(script, node, pick)))
