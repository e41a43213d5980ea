"""Rewriting calls: other names, arguments put first, named, added or dropped, everything else kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.import_statements import source, spelled, torch_name
from memlint.analysis.match import AddImport, Change, Replace
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted


@dataclass(frozen=True, slots=True)
class Arguments:
    """How the arguments of a call change.

    `first` are put in front of the positional ones, which become the keywords `named`; `keywords` are
    added.
    """

    first: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, edit: Mapping[str, object]) -> Arguments:
        """From the `edit` table of a rule's `[[match]]`."""
        first, named, keywords = (
            edit.get("prepend", ()),
            edit.get("name-positionals", ()),
            edit.get("add-keyword", {}),
        )
        assert isinstance(first, (list, tuple))
        assert isinstance(named, (list, tuple))
        assert isinstance(keywords, dict)
        return cls(tuple(first), tuple(named), tuple(keywords.items()))

    def __bool__(self) -> bool:
        return bool(self.first or self.named or self.keywords)


def renamed(model: ScriptModel, node: cst.CSTNode, path: str) -> tuple[str, tuple[Change, ...]]:
    """How a member of torch is written where `node` stands, and the import that this takes."""
    text = spelled(model, node, path)
    if text:
        return text, ()
    name = torch_name(model, node)
    changes = () if name else (AddImport("import torch"),)
    return (name or "torch") + path.removeprefix("torch"), changes


def called(model: ScriptModel, call: cst.Call, func: str, arguments: Arguments) -> tuple[Change, ...] | None:
    """The changes that make a call one of `func` with other arguments; None where that is not certain."""
    plain = [arg for arg in call.args if arg.keyword is None and not arg.star]
    starred = any(arg.star == "*" for arg in call.args)
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    new = {name for name, _ in arguments.keywords} | set(arguments.named[: len(plain)])
    if arguments.named and (starred or len(plain) > len(arguments.named)):
        return None
    if arguments and given & (new | {"device", "device_type"}):
        return None
    added = [f"{name}={value}" for name, value in arguments.keywords]
    if not call.args:
        return (Replace(call, f"{func}({', '.join([*arguments.first, *added])})"),)
    texts = {arg: argument_source(model, arg) for arg in call.args}
    for arg, name in zip(plain, arguments.named, strict=False):
        texts[arg] = f"{name}={texts[arg]}"
    first = call.args[0]
    front = [*arguments.first]
    if (plain and not arguments.named) or starred:
        last = [arg for arg in call.args if arg.keyword is None and arg.star != "**"][-1]
        texts[last] = ", ".join([texts[last], *added])
    else:
        front += added
    texts[first] = ", ".join([*front, texts[first]])
    changes: list[Change] = [
        Replace(arg, text) for arg, text in texts.items() if text != argument_source(model, arg)
    ]
    if func != dotted(call.func):
        changes.insert(0, Replace(call.func, func))
    return tuple(changes)


def with_keyword(model: ScriptModel, call: cst.Call, name: str, value: str) -> Change:
    """The call with a keyword argument put last, or with another value where it is given already."""
    text = f"{name}={value}"
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == name:
            return Replace(arg, text)
    if not call.args:
        return Replace(call, f"{model.code(call.func)}({text})")
    last = call.args[-1]
    return Replace(last, f"{argument_source(model, last)}, {text}")


def without_keywords(model: ScriptModel, call: cst.Call, names: frozenset[str]) -> Change:
    """The call with some of its keyword arguments left out."""
    kept = [arg for arg in call.args if arg.keyword is None or arg.keyword.value not in names]
    if kept and kept[-1] is not call.args[-1]:
        last = call.args[-1]
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    before = call.whitespace_before_args if kept else cst.SimpleWhitespace("")
    shorter = call.with_changes(args=kept, whitespace_before_args=before, lpar=[], rpar=[])
    return Replace(call, _indented(model, call, shorter))


def _indented(model: ScriptModel, place: cst.CSTNode, new: cst.BaseExpression) -> str:
    """The source of an expression whose further lines are indented as the block around `place` is."""
    blocks = [above for above in model.ancestors(place) if isinstance(above, cst.IndentedBlock)]
    body: cst.BaseStatement = cst.SimpleStatementLine([cst.Expr(new)])
    for block in blocks:
        inner = cst.IndentedBlock([body], indent=block.indent)
        body = cst.If(cst.Name("x"), inner)
    lines = source(model, body).split("\n")[len(blocks) :]
    return "\n".join(lines).strip()


def argument_source(model: ScriptModel, arg: cst.Arg) -> str:
    """The source of an argument without the comma behind it."""
    return source(
        model,
        arg.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace("")),
    )
