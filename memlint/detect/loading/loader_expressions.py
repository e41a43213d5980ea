"""What is written around a loader: what only counts it, what only passes it on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Store
from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.knowledge.libraries import DEVICE_MOVES
from memlint.analysis.match import Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.loader_values import counts_few, is_guess
from memlint.analysis.uses.layouts import JOINS
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.analysis.values import Ref, Value, options_of
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, last_name

_ITERATORS = frozenset("iter enumerate zip map filter cycle chain islice tee repeat".split())


def is_counted(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether batches are gathered to be counted: `len(list(loader))`, `len([batch for batch in loader])`"""
    above = model.parent(model.parent(node) or node)
    return isinstance(above, cst.Call) and dotted(above.func) == "len"


def wrapped_loader(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression:
    """The loader inside `iter(loader)`, `tqdm(loader)` and the like."""
    while isinstance(node, cst.Call) and node.args and dotted(node.func) in ("iter", "tqdm", "enumerate"):
        node = node.args[0].value
    return node


def is_iterator(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether an expression is an iterator, which gives its batches once."""
    made = (d.node for d in value_sources(model, source))
    return any(isinstance(call, cst.Call) and last_name(call.func) in _ITERATORS for call in made)


def its_length(model: ScriptModel, node: cst.Call, value: Value) -> Plan | str:
    """`len(loader)` for `len(list(loader))`; else why not, "" where another call stands around the list."""
    if not is_counted(model, node) or len(node.args) != 1:
        return ""
    given = node.args[0].value
    if is_guess(value) or is_iterator(model, given) or not may_have_length(value):
        return f"memlint cannot see that `{model.code(given)}` has a length"
    change = Replace(node, indented(model, node, given))
    caution = "a loader over an iterable data set may have no length"
    return Plan(Applicability.UNSAFE, "ask the loader for its length", (change,), caution)


def is_zipped(store: Store) -> bool:
    """Whether fields of a batch are kept sample by sample: `words.extend(zip(batch["form"], tags))`, or the
    same with a comprehension over `zip`."""
    value = store.value_node
    listed = value.for_in.iter if isinstance(value, (cst.ListComp, cst.GeneratorExp)) else value
    return isinstance(listed, cst.Call) and last_name(listed.func) == "zip"


def few_are_taken(model: ScriptModel, node: cst.Call) -> bool:
    """Whether an endless iterator is only asked for some batches, each by `next` once in its own function or
    in a loop that counts them: it has kept no more than these."""
    uses = list(uses_of(model, node))
    return bool(uses) and all(_takes_few(model, node, use) for use in uses)


def _takes_few(model: ScriptModel, made: cst.Call, use: Use) -> bool:
    if use.how != "argument" or not isinstance(use.node, cst.Call) or dotted(use.node.func) != "next":
        return False
    loops = [a for a in model.ancestors(use.node) if isinstance(a, (cst.For, cst.While, cst.FunctionDef))]
    inside = loops[: next((i for i, a in enumerate(loops) if isinstance(a, cst.FunctionDef)), len(loops))]
    counted = all(isinstance(a, cst.For) and counts_few(model, a.iter) for a in inside)
    return counted and (bool(inside) or model.function_of(use.node) is model.function_of(made))


def is_meant(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the batches of a list are joined, or spread over a fixed number of names, which is their
    number: `(batch,) = list(loader)`."""
    line = model.parent(node)
    ends = [t.target for t in line.targets] if isinstance(line, cst.Assign) else []
    return is_joined(model, node) or any(
        isinstance(end, (cst.Tuple, cst.List)) and all(type(e) is cst.Element for e in end.elements)
        for end in ends
    )


def is_joined(model: ScriptModel, node: cst.CSTNode, depth: int = 4) -> bool:
    """Whether all that becomes of a list of batches is tensors of all samples: they are wanted at once."""
    uses = list(uses_of(model, node)) if depth else []
    return bool(uses) and all(_joins(model, use, depth - 1) for use in uses)


def _joins(model: ScriptModel, use: Use, depth: int) -> bool:
    if use.how == "argument" and isinstance(use.node, cst.Call):
        name = last_name(use.node.func)
        return name in JOINS or (name == "zip" and is_joined(model, use.node, depth))
    follows = use.how in ("part", "member") or (use.how == "method" and use.name in DEVICE_MOVES)
    return follows and is_joined(model, use.node, depth)


def may_have_length(loader: Value) -> bool:
    """Whether no class of the project is seen that makes samples one after the other, without a length."""
    objects = [option.obj for option in options_of(loader) if isinstance(option, Ref)]
    given = [obj.args.get("0", obj.args.get("dataset")) for obj in objects]
    classes = [d.obj.cls for d in given if isinstance(d, Ref) and d.obj.cls is not None]
    return not any(
        c.find("__len__") is None and any(path.endswith("IterableDataset") for path in c.ancestry())
        for c in classes
    )
