"""libcst's nodes from those of Python's parser: all that means something, without the layout.

What is rare, and what Python's tree does not tell, is left to libcst, for the whole text.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

_LITERAL = re.compile(
    r"""[rRbBuU]{0,2}("{3}(?:[^"\\]++|\\.|"(?!""))*+"{3}|'{3}(?:[^'\\]++|\\.|'(?!''))*+'{3}"""
    r"""|"(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+')""",
    re.DOTALL,
)
_SIMPLE = (
    ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Pass, ast.Break,
    ast.Continue, ast.Delete, ast.Assert, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom,
)  # fmt: skip

_OPERATORS: dict[type[ast.AST], type[cst.CSTNode]] = {
    ast.Add: cst.Add, ast.Sub: cst.Subtract, ast.Mult: cst.Multiply, ast.MatMult: cst.MatrixMultiply,
    ast.Div: cst.Divide, ast.Mod: cst.Modulo, ast.Pow: cst.Power, ast.LShift: cst.LeftShift,
    ast.RShift: cst.RightShift, ast.BitOr: cst.BitOr, ast.BitXor: cst.BitXor, ast.BitAnd: cst.BitAnd,
    ast.FloorDiv: cst.FloorDivide, ast.Invert: cst.BitInvert, ast.Not: cst.Not, ast.UAdd: cst.Plus,
    ast.USub: cst.Minus, ast.And: cst.And, ast.Or: cst.Or, ast.Eq: cst.Equal, ast.NotEq: cst.NotEqual,
    ast.Lt: cst.LessThan, ast.LtE: cst.LessThanEqual, ast.Gt: cst.GreaterThan,
    ast.GtE: cst.GreaterThanEqual, ast.Is: cst.Is, ast.IsNot: cst.IsNot, ast.In: cst.In, ast.NotIn: cst.NotIn,
}  # fmt: skip
_AUGMENTED: dict[type[ast.AST], type[cst.CSTNode]] = {
    plain: getattr(cst, f"{kind.__name__}Assign")
    for plain, kind in _OPERATORS.items()
    if hasattr(cst, f"{kind.__name__}Assign")
}


class UnlikeError(Exception):
    """A text whose tree only libcst can make."""


def _maker(kind: type[cst.CSTNode], *names: str) -> Callable[..., cst.CSTNode]:
    """What makes a node of a class from the fields of these names alone, past its constructor."""
    new, setters = object.__new__, [getattr(kind, name).__set__ for name in names]
    if len(setters) == 1:
        (only,) = setters

        def of_one(value: object) -> cst.CSTNode:
            node = new(kind)
            only(node, value)
            return node

        return of_one
    if len(setters) == 2:
        first, second = setters

        def of_two(one: object, two: object) -> cst.CSTNode:
            node = new(kind)
            first(node, one)
            second(node, two)
            return node

        return of_two

    def of_many(*values: object) -> cst.CSTNode:
        node = new(kind)
        for put, value in zip(setters, values, strict=True):
            put(node, value)
        return node

    return of_many


_NAME = _maker(cst.Name, "value")
_ATTRIBUTE = _maker(cst.Attribute, "value", "attr")
_CALL = _maker(cst.Call, "func", "args")
_ARG = _maker(cst.Arg, "value", "keyword", "star")
_LINE = _maker(cst.SimpleStatementLine, "body")
_SUITE = _maker(cst.SimpleStatementSuite, "body")
_BLOCK = _maker(cst.IndentedBlock, "body")
_INTEGER = _maker(cst.Integer, "value")
_FLOAT = _maker(cst.Float, "value")
_IMAGINARY = _maker(cst.Imaginary, "value")
_STRING = _maker(cst.SimpleString, "value")
_ELEMENT = _maker(cst.Element, "value")
_STARRED = _maker(cst.StarredElement, "value")
_AS_NAME = _maker(cst.AsName, "name")
_ANNOTATION = _maker(cst.Annotation, "annotation")
_PARAM = _maker(cst.Param, "name", "annotation", "default", "star")
_PARAMETERS = _maker(cst.Parameters, "params", "star_arg", "kwonly_params", "star_kwarg", "posonly_params")
_MODULE = _maker(cst.Module, "body")
_EXPR = _maker(cst.Expr, "value")
_TARGET = _maker(cst.AssignTarget, "target")
_ASSIGN = _maker(cst.Assign, "targets", "value")
_ANN_ASSIGN = _maker(cst.AnnAssign, "target", "annotation", "value")
_AUG_ASSIGN = _maker(cst.AugAssign, "target", "operator", "value")
_RETURN = _maker(cst.Return, "value")
_FROM = _maker(cst.From, "item")
_RAISE = _maker(cst.Raise, "exc", "cause")
_DEL = _maker(cst.Del, "target")
_ASSERT = _maker(cst.Assert, "test", "msg")
_ITEM = _maker(cst.NameItem, "name")
_GLOBAL = _maker(cst.Global, "names")
_NONLOCAL = _maker(cst.Nonlocal, "names")
_IMPORT = _maker(cst.Import, "names")
_IMPORT_FROM = _maker(cst.ImportFrom, "module", "names", "relative")
_ALIAS = _maker(cst.ImportAlias, "name", "asname")
_IF = _maker(cst.If, "test", "body", "orelse")
_ELSE = _maker(cst.Else, "body")
_WHILE = _maker(cst.While, "test", "body", "orelse")
_FOR = _maker(cst.For, "target", "iter", "body", "orelse", "asynchronous")
_WITH_ITEM = _maker(cst.WithItem, "item", "asname")
_WITH = _maker(cst.With, "items", "body", "asynchronous")
_HANDLER = _maker(cst.ExceptHandler, "body", "type", "name")
_FINALLY = _maker(cst.Finally, "body")
_TRY = _maker(cst.Try, "body", "handlers", "orelse", "finalbody")
_DECORATOR = _maker(cst.Decorator, "decorator")
_FUNCTION = _maker(
    cst.FunctionDef, "name", "params", "body", "decorators", "returns", "asynchronous", "type_parameters"
)
_CLASS = _maker(cst.ClassDef, "name", "body", "bases", "keywords", "decorators", "type_parameters")
_BINARY = _maker(cst.BinaryOperation, "left", "operator", "right")
_UNARY = _maker(cst.UnaryOperation, "operator", "expression")
_BOOLEAN = _maker(cst.BooleanOperation, "left", "operator", "right")
_COMPARISON = _maker(cst.Comparison, "left", "comparisons")
_COMPARED = _maker(cst.ComparisonTarget, "operator", "comparator")
_IF_EXP = _maker(cst.IfExp, "test", "body", "orelse")
_LAMBDA = _maker(cst.Lambda, "params", "body")
_TUPLE = _maker(cst.Tuple, "elements")
_LIST = _maker(cst.List, "elements")
_SET = _maker(cst.Set, "elements")
_DICT = _maker(cst.Dict, "elements")
_PAIR = _maker(cst.DictElement, "key", "value")
_SPREAD = _maker(cst.StarredDictElement, "value")
_COMP_FOR = _maker(cst.CompFor, "target", "iter", "ifs", "inner_for_in", "asynchronous")
_COMP_IF = _maker(cst.CompIf, "test")
_DICT_COMP = _maker(cst.DictComp, "key", "value", "for_in")
_SUBSCRIPT = _maker(cst.Subscript, "value", "slice")
_SUBSCRIPTED = _maker(cst.SubscriptElement, "slice")
_SLICE = _maker(cst.Slice, "lower", "upper", "step")
_INDEX = _maker(cst.Index, "value", "star")
_AWAIT = _maker(cst.Await, "expression")
_YIELD = _maker(cst.Yield, "value")
_NAMED = _maker(cst.NamedExpr, "target", "value")
_COMPREHENSIONS: dict[type[ast.expr], Callable[..., cst.CSTNode]] = {
    ast.ListComp: _maker(cst.ListComp, "elt", "for_in"),
    ast.SetComp: _maker(cst.SetComp, "elt", "for_in"),
    ast.GeneratorExp: _maker(cst.GeneratorExp, "elt", "for_in"),
}
_NEITHER = cst.MaybeSentinel.DEFAULT


def _is_spelled_otherwise(character: str) -> bool:
    """Whether a name may have a character that Python reads as ASCII letters: a ligature, a wide letter."""
    within = not character.isascii() and f"a{character}".isidentifier()
    return within and unicodedata.normalize("NFKC", character).isascii()


class Converter:
    """Makes the nodes of one text, and notes where they stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.extents: dict[cst.CSTNode, tuple[int, int]] = {}
        self.indents: dict[cst.CSTNode, str] = {}
        self.classes: dict[cst.CSTNode, tuple[int, int]] = {}
        self.ascii = text.isascii()
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def module(self, tree: ast.Module) -> cst.Module:
        """The tree of the whole text.

        Raises:
            UnlikeError: libcst has to make it.
        """
        if not self.ascii and any(map(_is_spelled_otherwise, set(self.text))):
            raise UnlikeError
        made = _MODULE(self.statements(tree.body))
        assert isinstance(made, cst.Module)
        return made

    # --- places -------------------------------------------------------------------------------------

    def offset(self, line: int, column: int) -> int:
        """The offset of a place that Python's tree names, whose columns are bytes."""
        if not self.ascii:
            code = self.lines[line - 1]
            if not code.isascii():
                column = len(code.encode()[:column].decode())
        return self.starts[line - 1] + column

    def extent(self, node: Any) -> tuple[int, int]:
        if self.ascii:
            starts = self.starts
            return starts[node.lineno - 1] + node.col_offset, starts[
                node.end_lineno - 1
            ] + node.end_col_offset
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: Any) -> str:
        begin, end = self.extent(node)
        return self.text[begin:end]

    # --- statements -----------------------------------------------------------------------------------

    def statements(self, body: Sequence[ast.stmt]) -> tuple[cst.CSTNode, ...]:
        """Statements, those that share a line in one node."""
        found: list[cst.CSTNode] = []
        line: list[cst.CSTNode] = []
        last = 0
        for node in body:
            handler = _STATEMENTS.get(type(node))
            if handler is None:
                raise UnlikeError
            simple = isinstance(node, _SIMPLE)
            if line and not (simple and node.lineno == last):
                found.append(_LINE(tuple(line)))
                line = []
            if not simple:
                found.append(handler(self, node))
                continue
            if self.continues(node):
                raise UnlikeError
            line.append(handler(self, node))
            last = node.end_lineno or 0
        return tuple([*found, _LINE(tuple(line))] if line else found)

    def continues(self, node: ast.stmt) -> bool:
        """Whether a statement stands on a line that goes on from the one before."""
        return node.lineno > 1 and self.lines[node.lineno - 2].endswith("\\")

    def suite(self, body: Sequence[ast.stmt]) -> cst.CSTNode:
        """The block of a compound statement, or what stands behind the colon of its header."""
        first, made = body[0], self.statements(body)
        line = self.lines[first.lineno - 1]
        indent = line[: len(line) - len(line.lstrip(" "))]
        if isinstance(first, _SIMPLE) and len(indent) < first.col_offset:
            return _SUITE(made[0].body)  # type: ignore[attr-defined]
        block = _BLOCK(made)
        self.indents[block] = indent
        return block

    def _expr(self, node: ast.Expr) -> cst.CSTNode:
        return _EXPR(self.expression(node.value))

    def _assign(self, node: ast.Assign) -> cst.CSTNode:
        targets = tuple([_TARGET(self.expression(target)) for target in node.targets])
        return _ASSIGN(targets, self.expression(node.value))

    def _ann_assign(self, node: ast.AnnAssign) -> cst.CSTNode:
        target, annotation = self.expression(node.target), _ANNOTATION(self.expression(node.annotation))
        return _ANN_ASSIGN(target, annotation, self.maybe(node.value))

    def _aug_assign(self, node: ast.AugAssign) -> cst.CSTNode:
        operator = _AUGMENTED[type(node.op)]()
        return _AUG_ASSIGN(self.expression(node.target), operator, self.expression(node.value))

    def _return(self, node: ast.Return) -> cst.CSTNode:
        return _RETURN(self.maybe(node.value))

    def _raise(self, node: ast.Raise) -> cst.CSTNode:
        cause = _FROM(self.expression(node.cause)) if node.cause is not None else None
        return _RAISE(self.maybe(node.exc), cause)

    def _word(self, node: ast.stmt) -> cst.CSTNode:
        kind: type[cst.CSTNode] = getattr(cst, type(node).__name__)
        return object.__new__(kind)

    def _delete(self, node: ast.Delete) -> cst.CSTNode:
        if len(node.targets) == 1:
            if self.source(node).rstrip().endswith(","):
                raise UnlikeError
            return _DEL(self.expression(node.targets[0]))
        return _DEL(_TUPLE(self.elements(node.targets)))

    def _assert(self, node: ast.Assert) -> cst.CSTNode:
        return _ASSERT(self.expression(node.test), self.maybe(node.msg))

    def _names(self, node: ast.Global | ast.Nonlocal) -> cst.CSTNode:
        made = _GLOBAL if isinstance(node, ast.Global) else _NONLOCAL
        return made(tuple([_ITEM(self.name(name)) for name in node.names]))

    def _import(self, node: ast.Import) -> cst.CSTNode:
        return _IMPORT(self.aliases(node.names))

    def _import_from(self, node: ast.ImportFrom) -> cst.CSTNode:
        star = node.names[0].name == "*"
        names = cst.ImportStar() if star else self.aliases(node.names)
        module = self.dotted(node.module) if node.module else None
        return _IMPORT_FROM(module, names, tuple([cst.Dot() for _ in range(node.level)]))

    def aliases(self, names: Sequence[ast.alias]) -> tuple[cst.CSTNode, ...]:
        return tuple([_ALIAS(self.dotted(a.name), self.as_name(a.asname)) for a in names])

    def as_name(self, name: str | None) -> cst.CSTNode | None:
        return _AS_NAME(self.name(name)) if name else None

    def dotted(self, path: str) -> cst.CSTNode:
        first, *others = path.split(".")
        made = self.name(first)
        for name in others:
            made = _ATTRIBUTE(made, self.name(name))
        return made

    def _if(self, node: ast.If) -> cst.CSTNode:
        test, body, orelse = self.expression(node.test), self.suite(node.body), None
        if len(node.orelse) == 1 and isinstance(other := node.orelse[0], ast.If):
            begin = self.offset(other.lineno, other.col_offset)
            if self.text.startswith("elif", begin):
                return _IF(test, body, self._if(other))
        orelse = self.orelse(node.orelse)
        return _IF(test, body, orelse)

    def orelse(self, body: Sequence[ast.stmt]) -> cst.CSTNode | None:
        return _ELSE(self.suite(body)) if body else None

    def _while(self, node: ast.While) -> cst.CSTNode:
        return _WHILE(self.expression(node.test), self.suite(node.body), self.orelse(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> cst.CSTNode:
        target, source = self.expression(node.target), self.expression(node.iter)
        waits = cst.Asynchronous() if isinstance(node, ast.AsyncFor) else None
        return _FOR(target, source, self.suite(node.body), self.orelse(node.orelse), waits)

    def _with(self, node: ast.With | ast.AsyncWith) -> cst.CSTNode:
        items = []
        for item in node.items:
            name = item.optional_vars
            bound = _AS_NAME(self.expression(name)) if name is not None else None
            items.append(_WITH_ITEM(self.expression(item.context_expr), bound))
        waits = cst.Asynchronous() if isinstance(node, ast.AsyncWith) else None
        return _WITH(tuple(items), self.suite(node.body), waits)

    def _try(self, node: ast.Try) -> cst.CSTNode:
        handlers = tuple(
            [_HANDLER(self.suite(h.body), self.maybe(h.type), self.as_name(h.name)) for h in node.handlers]
        )
        final = _FINALLY(self.suite(node.finalbody)) if node.finalbody else None
        return _TRY(self.suite(node.body), handlers, self.orelse(node.orelse), final)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> cst.CSTNode:
        if getattr(node, "type_params", None):
            raise UnlikeError
        decorators = tuple([_DECORATOR(self.expression(d)) for d in node.decorator_list])
        returns = _ANNOTATION(self.expression(node.returns)) if node.returns is not None else None
        waits = cst.Asynchronous() if isinstance(node, ast.AsyncFunctionDef) else None
        params = self.parameters(node.args)
        return _FUNCTION(
            self.name(node.name), params, self.suite(node.body), decorators, returns, waits, None
        )

    def _class(self, node: ast.ClassDef) -> cst.CSTNode:
        if getattr(node, "type_params", None):
            raise UnlikeError
        decorators = tuple([_DECORATOR(self.expression(d)) for d in node.decorator_list])
        bases, keywords = self.positional(node.bases), self.keywords(node.keywords)
        made = _CLASS(self.name(node.name), self.suite(node.body), bases, keywords, decorators, None)
        self.classes[made] = (self.starts[node.lineno - 1], self.extent(node)[1])
        return made

    def parameters(self, args: ast.arguments) -> cst.CSTNode:
        positional = [*args.posonlyargs, *args.args]
        defaults = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
        made = tuple([self.param(*pair) for pair in zip(positional, defaults, strict=True)])
        alone = len(args.posonlyargs)
        keywords = tuple([self.param(*pair) for pair in zip(args.kwonlyargs, args.kw_defaults, strict=True)])
        star: object = _NEITHER
        if args.vararg is not None:
            star = self.param(args.vararg, None, "*")
        elif keywords:
            star = object.__new__(cst.ParamStar)
        rest = self.param(args.kwarg, None, "**") if args.kwarg is not None else None
        return _PARAMETERS(made[alone:], star, keywords, rest, made[:alone])

    def param(self, arg: ast.arg, default: ast.expr | None, star: str = "") -> cst.CSTNode:
        annotation = _ANNOTATION(self.expression(arg.annotation)) if arg.annotation is not None else None
        return _PARAM(self.name(arg.arg), annotation, self.maybe(default), star)

    # --- expressions ------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> cst.CSTNode:
        """The node of an expression, whose extent is noted."""
        handler = _EXPRESSIONS.get(type(node))
        if handler is None:
            raise UnlikeError
        made = handler(self, node)
        self.extents[made] = self.extent(node)
        return made

    def maybe(self, node: ast.expr | None) -> cst.CSTNode | None:
        return self.expression(node) if node is not None else None

    def name(self, name: str) -> cst.CSTNode:
        if not self.ascii and not name.isascii():
            raise UnlikeError  # Python's tree has it in its normal form
        return _NAME(name)

    def _name(self, node: ast.Name) -> cst.CSTNode:
        return self.name(node.id)

    def _attribute(self, node: ast.Attribute) -> cst.CSTNode:
        return _ATTRIBUTE(self.expression(node.value), self.name(node.attr))

    def _call(self, node: ast.Call) -> cst.CSTNode:
        func, args = self.expression(node.func), self.positional(node.args)
        if node.keywords:
            args += self.keywords(node.keywords)
            if any(type(a) is ast.Starred for a in node.args):
                both: list[Any] = [*node.args, *node.keywords]
                order = sorted(range(len(both)), key=lambda at: (both[at].lineno, both[at].col_offset))
                args = tuple([args[at] for at in order])
        return _CALL(func, args)

    def positional(self, args: Sequence[ast.expr]) -> tuple[cst.CSTNode, ...]:
        return tuple(
            [
                _ARG(self.expression(a.value), None, "*")
                if type(a) is ast.Starred
                else _ARG(self.expression(a), None, "")
                for a in args
            ]
        )

    def keywords(self, keywords: Sequence[ast.keyword]) -> tuple[cst.CSTNode, ...]:
        return tuple(
            [
                _ARG(self.expression(k.value), self.name(k.arg) if k.arg else None, "" if k.arg else "**")
                for k in keywords
            ]
        )

    def _constant(self, node: ast.Constant) -> cst.CSTNode:
        value = node.value
        kind = type(value)
        if kind is str or kind is bytes:
            return self.text_of(node)
        if kind is bool or value is None:
            return _NAME(str(value))
        if kind is int:
            return _INTEGER(self.source(node))
        if kind is float:
            return _FLOAT(self.source(node))
        return _IMAGINARY(self.source(node)) if kind is complex else object.__new__(cst.Ellipsis)

    def text_of(self, node: ast.expr) -> cst.CSTNode:
        """A string; what is put together of several, or has expressions in it, is parsed by libcst."""
        source = self.source(node)
        whole = _LITERAL.match(source)
        if whole is not None and whole.end() == len(source):
            return _STRING(source)
        made = cst.parse_expression(f"({source})")
        for name in ("lpar", "rpar"):
            object.__delattr__(made, name)
        return made

    def _binary(self, node: ast.BinOp) -> cst.CSTNode:
        return _BINARY(self.expression(node.left), _OPERATORS[type(node.op)](), self.expression(node.right))

    def _unary(self, node: ast.UnaryOp) -> cst.CSTNode:
        return _UNARY(_OPERATORS[type(node.op)](), self.expression(node.operand))

    def _boolean(self, node: ast.BoolOp) -> cst.CSTNode:
        kind = _OPERATORS[type(node.op)]
        made = self.expression(node.values[0])
        for value in node.values[1:]:
            made = _BOOLEAN(made, kind(), self.expression(value))
        return made

    def _compare(self, node: ast.Compare) -> cst.CSTNode:
        left = self.expression(node.left)
        pairs = zip(node.ops, node.comparators, strict=True)
        return _COMPARISON(
            left, tuple([_COMPARED(_OPERATORS[type(op)](), self.expression(other)) for op, other in pairs])
        )

    def _if_exp(self, node: ast.IfExp) -> cst.CSTNode:
        return _IF_EXP(self.expression(node.test), self.expression(node.body), self.expression(node.orelse))

    def _lambda(self, node: ast.Lambda) -> cst.CSTNode:
        return _LAMBDA(self.parameters(node.args), self.expression(node.body))

    def elements(self, nodes: Sequence[ast.expr]) -> tuple[cst.CSTNode, ...]:
        return tuple(
            [self._starred(n) if type(n) is ast.Starred else _ELEMENT(self.expression(n)) for n in nodes]
        )

    def _starred(self, node: ast.Starred) -> cst.CSTNode:
        return _STARRED(self.expression(node.value))

    def _tuple(self, node: ast.Tuple) -> cst.CSTNode:
        return _TUPLE(self.elements(node.elts))

    def _list(self, node: ast.List) -> cst.CSTNode:
        return _LIST(self.elements(node.elts))

    def _set(self, node: ast.Set) -> cst.CSTNode:
        return _SET(self.elements(node.elts))

    def _dict(self, node: ast.Dict) -> cst.CSTNode:
        return _DICT(
            tuple(
                [
                    _PAIR(self.expression(key), self.expression(value))
                    if key is not None
                    else _SPREAD(self.expression(value))
                    for key, value in zip(node.keys, node.values, strict=True)
                ]
            )
        )

    def _comprehension(self, node: Any) -> cst.CSTNode:
        clause = None
        element = self.expression(node.key if type(node) is ast.DictComp else node.elt)
        value = self.expression(node.value) if type(node) is ast.DictComp else None
        for part in reversed(node.generators):
            waits = cst.Asynchronous() if part.is_async else None
            target, source = self.expression(part.target), self.expression(part.iter)
            clause = _COMP_FOR(
                target, source, tuple([_COMP_IF(self.expression(t)) for t in part.ifs]), clause, waits
            )
        if type(node) is ast.DictComp:
            return _DICT_COMP(element, value, clause)
        return _COMPREHENSIONS[type(node)](element, clause)

    def _subscript(self, node: ast.Subscript) -> cst.CSTNode:
        value, index = self.expression(node.value), node.slice
        parts = index.elts if type(index) is ast.Tuple and not self.is_grouped(index) else [index]
        if not parts:
            parts = [index]
        return _SUBSCRIPT(value, tuple([_SUBSCRIPTED(self.index(part)) for part in parts]))

    def index(self, node: ast.expr) -> cst.CSTNode:
        if type(node) is ast.Slice:
            return _SLICE(self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step))
        if type(node) is ast.Starred:
            return _INDEX(self.expression(node.value), "*")
        return _INDEX(self.expression(node), None)

    def is_grouped(self, node: ast.Tuple) -> bool:
        """Whether a tuple stands in parentheses of its own: `a[(1, 2)]`, not `a[(1), (2)]`."""
        source = self.source(node)
        if not source.startswith("("):
            return False
        if not node.elts:
            return True
        if self.extent(node)[0] == self.extent(node.elts[0])[0]:
            return False
        if re.search("[\"'#]", source):
            raise UnlikeError
        depth = 0
        for at, sign in enumerate(source):
            depth += (sign in "([{") - (sign in ")]}")
            if not depth:
                return at == len(source) - 1
        raise UnlikeError

    def _await(self, node: ast.Await) -> cst.CSTNode:
        return _AWAIT(self.expression(node.value))

    def _yield(self, node: ast.Yield) -> cst.CSTNode:
        return _YIELD(self.maybe(node.value))

    def _yield_from(self, node: ast.YieldFrom) -> cst.CSTNode:
        return _YIELD(_FROM(self.expression(node.value)))

    def _named(self, node: ast.NamedExpr) -> cst.CSTNode:
        return _NAMED(self.expression(node.target), self.expression(node.value))


_STATEMENTS: dict[type[ast.stmt], Callable[[Converter, Any], cst.CSTNode]] = {
    ast.Expr: Converter._expr, ast.Assign: Converter._assign, ast.AnnAssign: Converter._ann_assign,
    ast.AugAssign: Converter._aug_assign, ast.Return: Converter._return, ast.Raise: Converter._raise,
    ast.Pass: Converter._word, ast.Break: Converter._word, ast.Continue: Converter._word,
    ast.Delete: Converter._delete, ast.Assert: Converter._assert, ast.Global: Converter._names,
    ast.Nonlocal: Converter._names, ast.Import: Converter._import, ast.ImportFrom: Converter._import_from,
    ast.If: Converter._if, ast.While: Converter._while, ast.For: Converter._for, ast.AsyncFor: Converter._for,
    ast.With: Converter._with, ast.AsyncWith: Converter._with, ast.Try: Converter._try,
    ast.FunctionDef: Converter._function, ast.AsyncFunctionDef: Converter._function,
    ast.ClassDef: Converter._class,
}  # fmt: skip

_EXPRESSIONS: dict[type[ast.expr], Callable[[Converter, Any], cst.CSTNode]] = {
    ast.Name: Converter._name, ast.Attribute: Converter._attribute, ast.Call: Converter._call,
    ast.Constant: Converter._constant, ast.JoinedStr: Converter.text_of, ast.BinOp: Converter._binary,
    ast.UnaryOp: Converter._unary, ast.BoolOp: Converter._boolean, ast.Compare: Converter._compare,
    ast.IfExp: Converter._if_exp, ast.Lambda: Converter._lambda, ast.Tuple: Converter._tuple,
    ast.List: Converter._list, ast.Set: Converter._set, ast.Dict: Converter._dict,
    ast.ListComp: Converter._comprehension, ast.SetComp: Converter._comprehension,
    ast.DictComp: Converter._comprehension, ast.GeneratorExp: Converter._comprehension,
    ast.Subscript: Converter._subscript, ast.Await: Converter._await, ast.Yield: Converter._yield,
    ast.YieldFrom: Converter._yield_from, ast.NamedExpr: Converter._named,
}  # fmt: skip
