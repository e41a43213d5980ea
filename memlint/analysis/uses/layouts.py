"""Whether a stored tensor may lie differently in memory without a result changing: sums are taken in order.

A copy of a view has the same elements, but other strides. What joins, moves or computes element by element
gives the same bits from both; a reduction or a matrix product directly over them adds in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.facts import Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import shown_container
from memlint.analysis.uses.elementwise import ELEMENTWISE
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.tree import last_name

JOINS = frozenset("cat concat concatenate stack hstack vstack dstack column_stack pad_sequence".split())
_LOOKS = frozenset("len print str repr bool isinstance type id sum float int".split())
_HANDS_ON = frozenset("list tuple dict zip enumerate iter next reversed".split())
_ENDS = frozenset("append extend insert clear keys size dim numel tolist item clone".split()) | ELEMENTWISE
_SAME = frozenset(
    "pop popitem values items get copy detach cpu cuda to float double half bfloat16 long int bool type "
    "numpy squeeze unsqueeze".split()
)
_ASKS = frozenset("shape dtype device ndim requires_grad".split())
_DEPTH = 12


def layout_is_free(model: ScriptModel, store: Store) -> bool:
    """Whether no code reduces over what a store keeps: every use joins it, moves it or reads elements."""
    starts = _reads(model, store)
    return starts is not None and all(_is_free(model, node, frozenset()) for node in starts)


def _reads(model: ScriptModel, store: Store) -> list[cst.CSTNode] | None:
    """The reads of the container of a store in this file; None where other code may have it as well."""
    if isinstance(store.node, cst.BaseComp):
        return [store.node]
    reads = reads_in_file(model, store.node, store.target)
    stores = {store.node, *model.walk(store.node)}
    if isinstance(shown_container(store.target), cst.Attribute) and stores.issuperset(reads or ()):
        return None  # only code out of view reads it
    return reads


def reads_in_file(model: ScriptModel, node: cst.CSTNode, shown: str) -> list[cst.CSTNode] | None:
    """The reads of a variable or attribute, or of the container of an entry, wherever they stand in the file.

    `shown` is its code at `node`. None where a caller has it as well, or it is no name.
    """
    box = shown_container(shown)
    if isinstance(box, cst.Attribute):
        return _reads_of_attribute(model, box.attr.value)
    if isinstance(box, cst.Name) and (owner := model.names_of(node).scope_of(node).owner(box.value)):
        return _reads_of_name(model, owner.node, box.value)
    return None


@cached
def _reads_of_attribute(model: ScriptModel, name: str) -> list[cst.CSTNode] | None:
    every = model.names.every(cst.Attribute)
    return _reads_among(model, [found for found in every if found.attr.value == name])


@cached
def _reads_of_name(model: ScriptModel, owner: cst.CSTNode, name: str) -> list[cst.CSTNode] | None:
    return _reads_among(model, [found for found in model.every(cst.Name, owner) if found.value == name])


def _reads_among(model: ScriptModel, same: Sequence[cst.CSTNode]) -> list[cst.CSTNode] | None:
    if any(isinstance(model.parent(found), cst.Param) for found in same):
        return None
    return [found for found in same if not _is_bound(model, found)]


def _is_bound(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a mention names the container, or an entry, only to bind it, or is no variable."""
    above = model.parent(node)
    if isinstance(above, (cst.Arg, cst.Attribute)) and node in (
        getattr(above, "keyword", None),
        getattr(above, "attr", None),
    ):
        return True
    while isinstance(above, cst.Subscript) and above.value is node:
        node, above = above, model.parent(above)
    targets = (cst.AssignTarget, cst.NameItem, cst.Del)
    return isinstance(above, targets) or (isinstance(above, cst.AnnAssign) and above.target is node)


def _is_free(model: ScriptModel, node: cst.CSTNode, seen: frozenset[cst.CSTNode]) -> bool:
    if node in seen:
        return True
    if len(seen) >= _DEPTH:
        return False
    known = seen | {node}
    for use in uses_of(model, node):
        further = list(_further(model, use))
        if None in further or not all(_is_free(model, n, known) for n in further if n is not None):
            return False
    return True


def _further(model: ScriptModel, use: Use) -> Iterator[cst.CSTNode | None]:
    """Where the same elements go on from a use; None where something may reduce over them."""
    node = use.node
    if use.how == "argument" and isinstance(node, cst.Call):
        name = last_name(node.func)
        plain = isinstance(node.func, cst.Name)
        if plain and name in _HANDS_ON:
            yield node
        elif not (plain and name in _LOOKS) and not (
            _is_library(model, node) and name in JOINS | ELEMENTWISE
        ):
            yield None
    elif use.how == "method":
        if use.name in _SAME:
            yield node
        elif use.name not in _ENDS:
            yield None
    elif use.how in ("part", "computed", "member"):
        matrix = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply)
        yield None if matrix else node
    elif use.how == "returned":
        function = model.function_of(node)
        calls = list(call_graph(model).sites(function, perhaps=True)) if function is not None else []
        if not calls:
            yield None
        yield from calls
    elif use.how == "attribute":
        if use.name not in _ASKS:
            yield None
    elif use.how not in ("compared", "added", "dropped", "tested"):
        yield None


def _is_library(model: ScriptModel, call: cst.Call) -> bool:
    return model.path_of(call.func).startswith(("torch.", "numpy."))
