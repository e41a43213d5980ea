"""What the constructor of a data set class keeps: Python objects, paths, arrays or tensors, and how many."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition, method, with_called_methods
from memlint.analysis.knowledge import data_hints
from memlint.analysis.knowledge.data_sources import FILE_READERS
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.content_kinds import kind
from memlint.analysis.uses.value_uses import uses_of
from memlint.analysis.values import Items, Tensor, Value, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import item_key
from memlint.syntax.tree import dotted, statements

_ARRAYS = ("array", "shared")


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """An attribute of a data set and the kind of its content.

    what: "records" (Python objects), "tensors" (a list of tensors or arrays), "paths" (a list of paths or
    of short keys), "frame" (a data frame), "array" (NumPy), "shared" (torch, memory maps) or "". `node`
    is where it gets its content.
    """

    name: str
    what: str
    node: cst.CSTNode


def stored(model: ScriptModel, klass: cst.ClassDef) -> list[Stored]:
    """What objects of a class keep in attributes that an item is taken from."""
    used = _indexed(model, klass)
    arrays = _turned_into_arrays(model, klass) if used else set[str]()
    found: dict[str, Stored] = {}
    for function in _constructing(model, klass) if used else ():
        for node in model.walk(function.body):
            for target, value in _assignments(node):
                if not isinstance(target, cst.Attribute) or dotted(target.value) != "self":
                    continue
                name = target.attr.value
                many = name in used and name not in found and not data_hints.FEW_ENTRIES.search(name)
                what = kind(model, value) if many else ""
                if what == "records" and _holds_class_numbers(model, klass, name):
                    what = ""
                if what == "records" and (_is_named_short(name) or _names_files(model, klass, name)):
                    what = "paths"
                if what == "records" and _are_tensors(model, function, name):
                    what = "tensors"
                if what and (name not in arrays or what in _ARRAYS):
                    found[name] = Stored(name, what, node)
    return list(found.values())


def _turned_into_arrays(model: ScriptModel, klass: cst.ClassDef) -> set[str]:
    """The attributes to which the constructor gives an array or tensor last, without a condition: the list
    that was filled before is gone, `self.times = torch.tensor(self.times).reshape(-1, 1)`."""
    start = method(model, klass, "__init__")
    last: dict[str, cst.BaseExpression] = {}
    for line in statements(start.body) if start is not None else ():
        for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            given = [(dotted(target), value) for target, value in _assignments(part)]
            last |= {place[5:]: value for place, value in given if place.startswith("self.")}
    return {name for name, value in last.items() if kind(model, _innermost(value)) in _ARRAYS}


def _innermost(node: cst.BaseExpression) -> cst.BaseExpression:
    """The call with which a chain of methods begins: `torch.tensor(x)` of `torch.tensor(x).view(-1)`."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if not isinstance(node.func.value, cst.Call):
            break
        node = node.func.value
    return node


def _are_tensors(model: ScriptModel, function: cst.FunctionDef, name: str) -> bool:
    """Whether all that a method appends to an attribute are tensors, or rows of some: `(image, mask)`."""
    calls = (call for call in model.every(cst.Call, function) if dotted(call.func) == f"self.{name}.append")
    given = [model.trace.argument_values.get(call.args[0].value, ()) for call in calls if call.args]
    return bool(given) and all(values and all(map(_holds_tensors, values)) for values in given)


def _holds_tensors(value: Value) -> bool:
    """Whether a value is a tensor, or a row of tensors."""
    options = options_of(value)
    rows = [option.items if isinstance(option, Items) else (option,) for option in options]
    return bool(rows) and all(row and all(isinstance(part, Tensor) for part in row) for row in rows)


def _is_named_short(name: str) -> bool:
    """Whether the name of an attribute says that its entries are paths, or other short texts."""
    return bool(data_hints.PATH_VARIABLE.search(name) or data_hints.SHORT_ENTRY.search(name))


def _constructing(model: ScriptModel, klass: cst.ClassDef) -> list[cst.FunctionDef]:
    """The constructor of a class and the methods that it calls to fill the object."""
    start = method(model, klass, "__init__")
    return with_called_methods(model, [start]) if start is not None else []


def _assignments(node: cst.CSTNode) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    if isinstance(node, cst.Assign):
        return [(t.target, node.value) for t in node.targets]
    if isinstance(node, cst.AnnAssign) and node.value is not None:
        return [(node.target, node.value)]
    return []


def _indexed(model: ScriptModel, klass: cst.ClassDef) -> set[str]:
    """The attributes that `__getitem__`, or a method that it calls, takes one entry of."""
    found: set[str] = set()
    waiting = [method(model, klass, "__getitem__"), method(model, klass, "__getitems__")]
    seen: set[cst.CSTNode] = set()
    while waiting:
        function = waiting.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        for node in model.walk(function.body):
            if isinstance(node, cst.Subscript) and any(
                isinstance(n, cst.Name) for part in node.slice for n in model.walk(part)
            ):
                owner: cst.BaseExpression = node.value
                while isinstance(owner, (cst.Attribute, cst.Subscript)) and dotted(owner).count(".") != 1:
                    owner = owner.value
                if dotted(owner).startswith("self.") and not _goes_through(model, node, dotted(owner)):
                    found.add(dotted(owner)[5:])
            elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                called = definition(model, node.func)
                waiting.append(called if isinstance(called, cst.FunctionDef) else None)
    return found


def _goes_through(model: ScriptModel, entry: cst.Subscript, container: str) -> bool:
    """Whether an item takes every entry of a container, so that there are few: `self.columns[k][i]` for each
    `k` in `self.columns`."""
    names = set[str]()
    part: cst.BaseExpression = entry
    while isinstance(part, (cst.Subscript, cst.Attribute)):
        names |= model.names_in(part.slice[0]) if isinstance(part, cst.Subscript) else set()
        part = part.value
    for above in model.ancestors(entry):
        loops: list[cst.For | cst.CompFor] = [above] if isinstance(above, cst.For) else []
        loops += [above.for_in] if isinstance(above, cst.BaseComp) else []
        for loop in loops:
            source = loop.iter
            if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute):
                source = source.func.value
            if dotted(source) == container and names & model.names_in(loop.target):
                return True
    return False


def _holds_class_numbers(model: ScriptModel, klass: cst.ClassDef, name: str) -> bool:
    """Whether each entry that an item takes becomes a tensor of whole numbers by itself: ratings, labels."""
    taken = _taken(model, klass, name)
    return bool(taken) and all(_becomes_number(model, n) for n in taken)


def _taken(model: ScriptModel, klass: cst.ClassDef, name: str) -> list[cst.Subscript]:
    """Where a class takes entries of one of its attributes."""
    return [
        n
        for n in model.every(cst.Subscript, klass)
        if dotted(n.value) == f"self.{name}" and not isinstance(model.parent(n), (cst.AssignTarget, cst.Del))
    ]


def _names_files(model: ScriptModel, klass: cst.ClassDef, name: str) -> bool:
    """Whether nothing is read of the entries, short lists, but numbers and names of files that are opened."""
    taken = _taken(model, klass, name)
    used = [how for n in taken for how in _read_as(model, n, 2)]
    return "file" in used and set(used) <= {"file", "number"}


def _read_as(model: ScriptModel, node: cst.CSTNode, depth: int) -> Iterator[str]:
    """What an entry, or a field of it, is read as: "file", "number", "" for anything else."""
    for use in uses_of(model, node):
        made = use.node
        if use.how == "part" and depth and isinstance(made, cst.Subscript) and _is_constant(made):
            yield from _read_as(model, made, depth - 1)
        elif use.how == "argument" and isinstance(made, cst.Call):
            reads = FILE_READERS.match(model.path_of(made.func) or dotted(made.func))
            yield "file" if reads else "number" if dotted(made.func) in ("int", "float", "range") else ""
        elif use.how == "compared":
            yield "number"
        elif use.how == "computed" and isinstance(made, cst.BinaryOperation) and depth:
            named = isinstance(made.operator, (cst.Add, cst.Divide)) and "file" in _read_as(model, made, 1)
            yield "file" if named else "number"
        elif use.how == "tested" and isinstance(made, cst.FormattedStringExpression):
            text = model.parent(made)
            yield "file" if text is not None and "file" in _read_as(model, text, 0) else ""
        else:
            yield ""


def _is_constant(node: cst.Subscript) -> bool:
    """Whether an index is a number written out: a field of a list, which is smaller than a dictionary."""
    return isinstance(item_key(node), int)


def _becomes_number(model: ScriptModel, node: cst.Subscript) -> bool:
    element = model.parent(node)
    holder = model.parent(element) if isinstance(element, cst.Element) else node
    argument = model.parent(holder) if holder is not None else None
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    listed = isinstance(element, cst.Element)
    return (listed and model.path_of(call.func) == "torch.LongTensor") or (
        not listed and dotted(call.func) == "int"
    )
