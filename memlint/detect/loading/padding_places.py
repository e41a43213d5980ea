"""Places that fill texts and sequences up to one length: tokenizers, collators, padding by hand."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import calls_one, literal, speaks_of
from memlint.syntax.tree import last_name

_METHODS = frozenset({"encode_plus", "batch_encode_plus", "pad", "encode", "__call__"})


@dataclass(frozen=True, slots=True, eq=False)
class Padding:
    """One place that pads to a fixed length: `how` is the variant of the rule.

    `option` is the argument that asks for it, `limit` what says the length, `length` the number of tokens, 0
    where that is not known.
    """

    node: cst.BaseExpression
    how: str
    option: cst.Arg | None = None
    limit: cst.BaseExpression | None = None
    length: int = 0


def padding_places(model: ScriptModel) -> Iterator[Padding]:
    """All such places of a file, whatever they are for."""
    yield from _asked(model)
    yield from _by_hand(model)
    yield from _pads_sequences(model)


def _asked(model: ScriptModel) -> Iterator[Padding]:
    """Calls of tokenizers and collators with `padding="max_length"`."""
    for call in model.names.calls:
        option = next((a for a in call.args if _asks(model, a)), None)
        if option is None or keyword(call, "pad_to_multiple_of") is not None:
            continue
        collator = model.path_of(call.func).rpartition(".")[2].startswith("DataCollator")
        if not collator and not _is_tokenizer(model, call):
            continue
        limit = keyword(call, "max_length")
        yield Padding(call, "collator" if collator else "default", option, limit, _number(model, limit))


def _asks(model: ScriptModel, arg: cst.Arg) -> bool:
    if arg.keyword is None or arg.keyword.value not in ("padding", "pad_to_max_length"):
        return False
    wanted = "max_length" if arg.keyword.value == "padding" else True
    return constant(model, arg.value) == wanted


def _is_tokenizer(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call runs a tokenizer on texts that are not written out, for a model of any length."""
    func = call.func
    if isinstance(func, cst.Attribute) and func.attr.value in _METHODS:
        func = func.value
    made = [d.node for d in value_sources(model, func) if isinstance(d.node, cst.Call)]
    by_class = any(hints.TOKENIZER.search(model.path_of(m.func)) for m in made)
    if not by_class and not hints.TOKENIZER.search(last_name(func)):
        return False
    if any(speaks_of(m, hints.FIXED_LENGTH_MODEL) for m in (func, *made)):
        return False
    given = call.args[0].value if call.args else None
    return given is not None and not isinstance(literal(given), str)


def _number(model: ScriptModel, node: cst.BaseExpression | None) -> int:
    """The number that a length is, 0 for one that is not known."""
    found = {literal(d.node) for d in value_sources(model, node)} if node is not None else set()
    number = found.pop() if len(found) == 1 else None
    return number if isinstance(number, int) else 0


def _by_hand(model: ScriptModel) -> Iterator[Padding]:
    """`F.pad(x, (0, 512 - len(x)))` and `ids + [0] * (512 - len(ids))`"""
    for operation in model.names.every(cst.BinaryOperation):
        if not isinstance(operation.operator, cst.Subtract) or not _is_length(operation.right):
            continue
        length, use = _number(model, operation.left), _filled(model, operation)
        if length and use is not None:
            yield Padding(use, "by-hand", None, operation.left, length)


def _pads_sequences(model: ScriptModel) -> Iterator[Padding]:
    """`pad_sequences(rows, maxlen=512)` of Keras, in a file that trains with torch."""
    for call in model.names.calls:
        if model.path_of(call.func).rpartition(".")[2] == "pad_sequences":
            limit = argument(call, 1, "maxlen")
            if limit is not None and _number(model, limit):
                yield Padding(call, "sequences", None, limit, _number(model, limit))


def _is_length(node: cst.BaseExpression) -> bool:
    """`len(x)`, `x.size(0)`, `x.shape[0]`"""
    shape = isinstance(node, cst.Subscript) and last_name(node.value) == "shape"
    return shape or calls_one(node, "len", "size")


def _filled(model: ScriptModel, missing: cst.BinaryOperation) -> cst.BaseExpression | None:
    """The padding that fills up so many entries."""
    above = model.parent(missing)
    if isinstance(above, cst.BinaryOperation) and isinstance(above.operator, cst.Multiply):
        other = above.left if above.right is missing else above.right
        return above if isinstance(other, cst.List) and len(other.elements) == 1 else None
    if not isinstance(above, cst.Element):
        return None
    call = next((a for a in model.ancestors(above) if isinstance(a, cst.Call)), None)
    pads = call is not None and model.path_of(call.func) == "torch.nn.functional.pad"
    return call if pads else None
