"""Rewriting calls: other names, arguments put first, named, added or dropped, everything else kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.import_statements import head_path, source, spelled, torch_name
from memlint.analysis.match import AddImport, Change, Replace
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted


@dataclass(frozen=True, slots=True)
class Arguments:
    """How the arguments of a call change.

    `first` are put in front of the positional ones, which become the keywords `named`; `keywords` are
    added. Of those that are given, `dropped` go, `renamed` get another name, and `values` another value, or
    are added; `places` are the positions at which they may stand without a name.
    """

    first: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()
    dropped: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)

    @property
    def reshapes(self) -> bool:
        """Whether arguments that are given change."""
        return bool(self.dropped or self.renamed or self.values)

    @classmethod
    def of(cls, edit: Mapping[str, Any], conditions: Sequence[Mapping[str, Any]] = ()) -> Arguments:
        """From the `edit` table of a rule's `[[match]]`, and what that asks of arguments."""
        return cls(
            tuple(edit.get("prepend", ())),
            tuple(edit.get("name-positionals", ())),
            tuple(edit.get("add-keyword", {}).items()),
            frozenset(edit.get("drop-keyword", ())),
            edit.get("rename-keyword", {}),
            edit.get("set-keyword", {}),
            {one["keyword"]: one["position"] for one in conditions if "position" in one},
        )

    def __bool__(self) -> bool:
        return bool(self.first or self.named or self.keywords or self.reshapes)


def renamed(model: ScriptModel, node: cst.CSTNode, path: str) -> tuple[str, tuple[Change, ...]]:
    """How a member of torch is written where `node` stands, and the import that this takes."""
    text = spelled(model, node, path)
    if text:
        return text, ()
    name = torch_name(model, node)
    changes = () if name else (AddImport("import torch"),)
    return (name or "torch") + path.removeprefix("torch"), changes


def moved_name(model: ScriptModel, node: cst.CSTNode, path: str) -> tuple[str, tuple[Change, ...]] | None:
    """As `renamed`, for a name of any package; None where something else goes by the name of the package.

    Importing torch imports all of it that is public; of other packages the module has to be imported.
    """
    root, module = path.partition(".")[0], path.rpartition(".")[0]
    if root == "torch":
        return renamed(model, node, path)
    text = spelled(model, node, path)
    if text and head_path(model, node) == module:
        return text, ()
    owner = model.names.scope_of(node).owner(root)
    if owner is not None and (root in owner.others or owner.imports.get(root) != {root}):
        return None
    return path, (AddImport(f"import {module}"),)


def called(model: ScriptModel, call: cst.Call, func: str, arguments: Arguments) -> tuple[Change, ...] | None:
    """The changes that make a call one of `func` with other arguments; None where that is not certain."""
    if arguments.reshapes:
        return _reshaped(model, call, func, arguments)
    given = keywords(call)
    plain = [arg for arg in call.args if arg.keyword is None and not arg.star]
    starred = any(arg.star == "*" for arg in call.args)
    new = {name for name, _ in arguments.keywords} | set(arguments.named[: len(plain)])
    if arguments.named and (starred or len(plain) > len(arguments.named)):
        return None
    if given & new or (arguments.first and given & {"device", "device_type"}):
        return None
    if arguments.keywords and any(arg.star == "**" for arg in call.args):
        return None
    added = [f"{name}={value}" for name, value in arguments.keywords]
    if not call.args:
        return (Replace(call, f"{func}({', '.join([*arguments.first, *added])})"),)
    as_it_is = func == dotted(call.func) and not (arguments.first or arguments.named)
    if added and as_it_is and call.args[-1].star != "**" and (starred or (plain and call.args[-1] in plain)):
        return (with_last(model, call, ", ".join(added)),)
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


def _reshaped(
    model: ScriptModel, call: cst.Call, func: str, arguments: Arguments
) -> tuple[Change, ...] | None:
    """As `called`, where arguments go, get another name or another value: the call is written again."""
    if arguments.first or arguments.named or any(arg.star for arg in call.args):
        return None
    target = cst.parse_expression(f"({func})").with_changes(lpar=[], rpar=[])
    if same(target, call.func):
        target = call.func
    elif "\n" in func:
        return None
    args: list[cst.Arg] = []
    left = dict(arguments.keywords)
    given = keywords(call)
    if given & left.keys() or given & {new for old, new in arguments.renamed.items() if old in given}:
        return None
    places = {place: name for name, place in arguments.places.items()}
    values = dict(arguments.values)
    for at, arg in enumerate(call.args):
        name = arg.keyword.value if arg.keyword is not None else places.get(at, "")
        if name in arguments.dropped:
            if arg.keyword is None and at + 1 < len(call.args) and call.args[at + 1].keyword is None:
                return None  # what follows would move to its place
            continue
        if arg.keyword is not None and name in arguments.renamed:
            arg = arg.with_changes(keyword=cst.Name(arguments.renamed[name]))
        if name in values:
            arg = arg.with_changes(value=cst.parse_expression(values.pop(name)))
        args.append(arg)
    for name, value in {**values, **left}.items():
        args.append(_keyword_arg(name, value))
    return (Replace(call, _with_args(model, call, target, args)),)


def _keyword_arg(name: str, value: str) -> cst.Arg:
    plain = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Arg(cst.parse_expression(value), keyword=cst.Name(name), equal=plain)


def _with_args(model: ScriptModel, call: cst.Call, func: cst.BaseExpression, args: list[cst.Arg]) -> str:
    """A call of `func` with other arguments, their commas and lines as the old ones have them."""
    if args:
        last = call.args[-1] if call.args else args[-1]
        between = next((arg.comma for arg in call.args[:-1]), cst.MaybeSentinel.DEFAULT)
        kept = [arg.with_changes(comma=between) if arg is last else arg for arg in args[:-1]]
        end = args[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        args = [*kept, end]
    before = call.whitespace_before_args if args else cst.SimpleWhitespace("")
    new = call.with_changes(func=func, args=args, whitespace_before_args=before, lpar=[], rpar=[])
    return indented(model, call, new)


def with_keyword(model: ScriptModel, call: cst.Call, name: str, value: str) -> Change:
    """The call with a keyword argument put last, or with another value where it is given already."""
    text = f"{name}={value}"
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == name:
            return Replace(arg, text)
    if not call.args:
        return Replace(call, f"{model.code(call.func)}({text})")
    return with_last(model, call, text)


def with_last(model: ScriptModel, call: cst.Call, text: str) -> Replace:
    """A call that has arguments, with one more put last, below the comment of the one before."""
    last = call.args[-1]
    behind = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else last.whitespace_after_arg
    if isinstance(behind, cst.ParenthesizedWhitespace) and behind.first_line.comment is not None:
        return Replace(call, indented(model, call, _with_last_below(call, behind, text)))
    return Replace(last, f"{argument_source(model, last)},{_between(model, call)}{text}")


def _with_last_below(call: cst.Call, behind: cst.ParenthesizedWhitespace, text: str) -> cst.Call:
    """A call with one more argument on a line of its own, below a comment `behind` the one that was last."""
    *others, last = call.args
    gaps = [
        call.whitespace_before_args,
        *(a.comma.whitespace_after for a in others if isinstance(a.comma, cst.Comma)),
    ]
    own = [gap for gap in gaps if isinstance(gap, cst.ParenthesizedWhitespace)]
    line = own[-1].last_line if own else cst.SimpleWhitespace(f"{behind.last_line.value}    ")
    indent = own[-1].indent if own else behind.indent
    below = behind.with_changes(empty_lines=(), indent=indent, last_line=line)
    closing = behind.with_changes(first_line=cst.TrailingWhitespace())
    (added,) = cst.ensure_type(cst.parse_expression(f"f({text})"), cst.Call).args
    listed = isinstance(last.comma, cst.Comma)
    return call.with_changes(
        args=(
            *others,
            last.with_changes(
                comma=cst.Comma(whitespace_after=below), whitespace_after_arg=cst.SimpleWhitespace("")
            ),
            added.with_changes(comma=cst.Comma(whitespace_after=closing))
            if listed
            else added.with_changes(whitespace_after_arg=closing),
        ),
        lpar=[],
        rpar=[],
    )


def _between(model: ScriptModel, call: cst.Call) -> str:
    """What stands between two arguments: a line break where each has a line of its own."""
    first = call.whitespace_before_args
    gaps = [first, *(a.comma.whitespace_after for a in call.args[:-1] if isinstance(a.comma, cst.Comma))]
    if not all(isinstance(gap, cst.ParenthesizedWhitespace) for gap in gaps):
        return " "
    assert isinstance(first, cst.ParenthesizedWhitespace)
    return f"\n{margin_of(model, call) if first.indent else ''}{first.last_line.value}"


def margin_of(model: ScriptModel, node: cst.CSTNode) -> str:
    """How far the statement of a node is indented."""
    blocks = [above for above in model.ancestors(node) if isinstance(above, cst.IndentedBlock)]
    return "".join(block.indent or model.module.default_indent for block in reversed(blocks))


def without_keywords(model: ScriptModel, call: cst.Call, names: frozenset[str]) -> Change:
    """The call with some of its keyword arguments left out."""
    kept = [arg for arg in call.args if arg.keyword is None or arg.keyword.value not in names]
    if kept and kept[-1] is not call.args[-1]:
        last = call.args[-1]
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    before = call.whitespace_before_args if kept else cst.SimpleWhitespace("")
    shorter = call.with_changes(args=kept, whitespace_before_args=before, lpar=[], rpar=[])
    return Replace(call, indented(model, call, shorter))


def indented(model: ScriptModel, place: cst.CSTNode, new: cst.BaseExpression) -> str:
    """The source of an expression whose further lines are indented as the block around `place` is."""
    blocks = [above for above in model.ancestors(place) if isinstance(above, cst.IndentedBlock)]
    body: cst.BaseStatement = cst.SimpleStatementLine([cst.Expr(new)])
    for block in blocks:
        inner = cst.IndentedBlock([body], indent=block.indent)
        body = cst.If(cst.Name("x"), inner)
    lines = source(model, body).split("\n")[len(blocks) :]
    return "\n".join(lines).strip()


def argument_source(model: ScriptModel, arg: cst.Arg) -> str:
    """The source of an argument without the comma behind it, further lines as its block is indented."""
    bare = arg.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace(""))
    return indented(model, arg, cst.Call(cst.Name("f"), [bare]))[2:-1]
