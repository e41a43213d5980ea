"""Whether a kept tensor gets into a text as it is: that text loses its `grad_fn=` with the graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.knowledge import libraries
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.layouts import reads_in_file
from memlint.analysis.uses.value_uses import Use, uses_of, uses_of_parameter
from memlint.syntax.expressions import literal, same
from memlint.syntax.tree import dotted, last_name

_NUMBERS = frozenset("item tolist numpy float int len bool isinstance type detach size dim numel".split())
_ENDS = _NUMBERS | frozenset("backward keys append".split())
_LOGS_NUMBERS = pattern(r"add_scalars?$|log(_\w+)?$|update$|manual_backward$|backward$")
_PROGRESS = pattern(r"set_(postfix|description)(_str)?$")
_ASKS = frozenset("data shape dtype device ndim grad".split())
_FIELD = pattern(r"%(?:\(\w*\))?[-+ #0-9.*]*([a-zA-Z])")


def gets_into_text(model: ScriptModel, node: cst.CSTNode, target: str) -> bool:
    """Whether a read of `target`, what the statement of `node` adds to, ends in a text: through attributes,
    containers, other names, functions of the file and what they return."""
    return _one_is_text(model, tuple(reads_in_file(model, node, target) or ()))


@cached
def _one_is_text(model: ScriptModel, reads: tuple[cst.CSTNode, ...]) -> bool:
    seen: set[cst.CSTNode] = set()
    return any(_is_text(model, read, seen) for read in reads)


def _is_text(model: ScriptModel, node: cst.CSTNode, seen: set[cst.CSTNode]) -> bool:
    if node in seen:
        return False
    seen.add(node)
    return any(_ends_in_text(model, node, use, seen) for use in uses_of(model, node, seen))


def _ends_in_text(model: ScriptModel, value: cst.CSTNode, use: Use, seen: set[cst.CSTNode]) -> bool:
    """Whether one use of a value, or what follows from it, makes a text of it."""
    node = use.node
    if isinstance(node, cst.FormattedStringExpression):
        return node.format_spec is None
    if use.how == "argument" and isinstance(node, cst.Call):
        params = [p for p in _parameters(model, node, use.arg) if p not in seen]
        seen.update(params)
        uses = ((p, u) for p in params for u in uses_of_parameter(model, p))
        if _writes(model, node) or any(_ends_in_text(model, p, u, seen) for p, u in uses):
            return True
    if use.how == "member" and isinstance(node, cst.Tuple) and (kind := _field(model, value, node)):
        return kind in "sra"
    if use.how == "computed" and isinstance(node, cst.BinaryOperation):
        text = literal(node.left)
        if isinstance(node.operator, cst.Modulo) and isinstance(text, str):
            return any(kind in "sra" for kind in _FIELD.findall(text.replace("%%", "")))
    return any(_is_text(model, further, seen) for further in _further(model, use))


def _writes(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call writes what it is given, or is one out of view for its effect, which may."""
    name = last_name(call.func)
    if name in libraries.WRITES_TEXT or _PROGRESS.match(name):
        return True
    effect = isinstance(model.parent(call), cst.Expr)
    known = name in _NUMBERS or _LOGS_NUMBERS.match(name) or model.path_of(call.func).startswith("torch.")
    return effect and isinstance(call.func, cst.Name) and not known and not _functions(model, name)


def _functions(model: ScriptModel, name: str) -> list[cst.FunctionDef]:
    return [f for f in model.names.every(cst.FunctionDef) if f.name.value == name]


def _parameters(model: ScriptModel, call: cst.Call, given: cst.Arg | None) -> Iterator[cst.Param]:
    """The parameters that an argument may have in functions of this file by the name of what is called."""
    if given is None:
        return
    for function in _functions(model, last_name(call.func)):
        names = [p for p in function.params.params if p.name.value != "self"]
        place = call.args.index(given) if given.keyword is None else -1
        for number, param in enumerate(names):
            if number == place or (given.keyword is not None and given.keyword.value == param.name.value):
                yield param


def _field(model: ScriptModel, value: cst.CSTNode, pair: cst.Tuple) -> str:
    """The conversion that a member has in `"..." % (a, b)`, as "s" or "f"; "" where it is not known."""
    above = model.parent(pair)
    text = literal(above.left) if isinstance(above, cst.BinaryOperation) else None
    kinds = _FIELD.findall(text.replace("%%", "")) if isinstance(text, str) else []
    found = [i for i, element in enumerate(pair.elements) if same(element.value, value)]
    return kinds[found[0]] if found and found[0] < len(kinds) else ""


def _further(model: ScriptModel, use: Use) -> Iterator[cst.CSTNode]:
    """Where a value, or a tensor that is computed from it, goes on from a use."""
    node = use.node
    if use.how == "argument" and isinstance(node, cst.Call):
        name = last_name(node.func)
        if isinstance(node.func, cst.Attribute) and name in ("append", "extend", "insert", "add"):
            yield from reads_in_file(model, node, model.code(node.func.value)) or ()
        elif name not in _NUMBERS and not _LOGS_NUMBERS.match(name):
            yield node
    elif use.how in ("method", "attribute"):
        if use.name not in (_ENDS if use.how == "method" else _ASKS):
            yield node
    elif use.how in ("part", "computed", "member"):
        yield node
    elif use.how in ("stored", "captured"):
        yield from reads_in_file(model, node, model.code(node)) or ()
    elif use.how == "returned" and (function := model.function_of(node)) is not None:
        yield from call_graph(model).sites(function, perhaps=True)
        if any("property" in dotted(d.decorator) for d in function.decorators):
            read = model.names.every(cst.Attribute)
            yield from (n for n in read if n.attr.value == function.name.value)
