"""Which values are loaders of data worth speaking of."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import data_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.traits import Trait
from memlint.analysis.values import Const, Function, Items, Obj, Ref, Scalar, Tensor, Value, options_of
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import calls_in, calls_one, literal, mentions, same
from memlint.syntax.tree import dotted, last_name, walk

_FEW_ITEMS = 1000
_FEW_BATCHES = 20


def is_loader(model: ScriptModel, value: Value) -> bool:
    """Whether a value is a loader; a name alone is not believed where the value may be something known."""
    known = [o.obj for o in options_of(value) if isinstance(o, Ref)]
    loaders = [obj for obj in known if _loads(model, obj)]
    return bool(loaders) and (len(loaders) == len(known) or not all(obj.by_name for obj in loaders))


def is_guess(value: Value) -> bool:
    """Whether nothing but a name says that a value is a loader."""
    return all(o.obj.by_name for o in options_of(value) if isinstance(o, Ref))


def _loads(model: ScriptModel, obj: Obj) -> bool:
    """Whether an object is a loader of data worth speaking of, or an enumeration or zip of one."""
    if obj.id in model.trace.generators:
        return False
    if obj.kind != "loader":
        over = obj.args.get("over")
        return isinstance(over, Ref) and over.obj is not obj and _loads(model, over.obj)
    if obj.by_name and obj.node is None:
        return bool(data_hints.LOADER_VARIABLE.search(obj.name)) and not _is_sequence(model, obj.name)
    dataset = obj.args.get("0", obj.args.get("dataset"))
    if isinstance(dataset, (Const, Scalar, Items)):
        return False
    if isinstance(dataset, Ref) and dataset.obj.kind == "list" and "constants" in dataset.obj.args:
        return False
    return obj.node is None or not takes_few(obj.node)


@cached
def _is_sequence(model: ScriptModel, name: str) -> bool:
    """Whether the file shows a sequence behind the name of a loader: by its annotation, by members that are
    called loaders themselves, or kept beside their lengths, or by a question for its type."""
    params = (p for p in model.names.every(cst.Param) if p.name.value == name and p.annotation is not None)
    if any(p.annotation and mentions(p.annotation.annotation, *_SEQUENCES) for p in params):
        return True
    last = name.rpartition(".")[2]  # an attribute may hold what came as a parameter
    every: list[cst.CompFor | cst.For] = [*model.names.every(cst.CompFor), *model.names.every(cst.For)]
    loops = [x for x in every if last_name(x.iter) == last]
    if any(data_hints.LOADER_VARIABLE.search(dotted(loop.target)) for loop in loops):
        return True
    if any(_keeps_length(model, loop) for loop in loops if isinstance(loop, cst.CompFor)):
        return True
    asked = (c for c in model.names.calls if dotted(c.func) == "isinstance" and len(c.args) == 2)
    return any(last_name(c.args[0].value) == last and mentions(c.args[1].value, *_SEQUENCES) for c in asked)


def _keeps_length(model: ScriptModel, clause: cst.CompFor) -> bool:
    """`[(len(part), part) for part in parts]`"""
    made = model.parent(clause)
    kept = made.elt if isinstance(made, (cst.ListComp, cst.GeneratorExp, cst.SetComp)) else None
    if not isinstance(kept, cst.Tuple):
        return False
    calls = (e.value for e in kept.elements if isinstance(e.value, cst.Call) and e.value.args)
    return any(dotted(c.func) == "len" and same(c.args[0].value, clause.target) for c in calls)


_SEQUENCES = ("list", "List", "Sequence", "tuple", "Tuple", "str", "dict", "Dict")


def loader_evidence(value: Value, depth: int = 3) -> str:
    """ "made" for a DataLoader that the file makes, "named" for what is only called one, "" otherwise."""
    found = ""
    for option in options_of(value):
        if not isinstance(option, Ref):
            continue
        obj = option.obj
        over = obj.args.get("over")
        if obj.kind == "loader" and not (obj.cls is not None and obj.cls.find("__iter__")):
            if not obj.by_name:
                found = "made"
            elif "iter" not in obj.name.lower():
                found = found or "named"
        elif obj.kind == "list" and over is not None and depth:
            found = loader_evidence(over, depth - 1) or found
    return found


def takes_few(node: cst.CSTNode) -> bool:
    """Whether an expression takes a small part of a data set, or all of it as one batch."""
    if calls_one(node, "islice"):
        return True
    ranges = (inner for subset in calls_in(node, "Subset") for inner in calls_in(subset, "range"))
    if any(_ends_at(inner, _FEW_ITEMS) for inner in ranges):
        return True
    sizes = (n.value for n in walk(node) if isinstance(n, cst.Arg) and dotted(n.keyword or n) == "batch_size")
    return any(isinstance(size, cst.Call) and dotted(size.func) == "len" for size in sizes)


def counts_few(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether an expression counts some batches, far fewer than an epoch has: `range(10)`, or `range(steps)`
    of a parameter with such a default."""
    if not isinstance(node, cst.Call) or dotted(node.func) != "range" or len(node.args) != 1:
        return False
    sources = (d.node for d in value_sources(model, node.args[0].value))
    ends = [source.default if isinstance(source, cst.Param) else source for source in sources]
    numbers = [literal(end) if isinstance(end, cst.BaseExpression) else None for end in ends]
    return bool(numbers) and all(isinstance(n, int) and n <= _FEW_BATCHES for n in numbers)


def _ends_at(call: cst.Call, most: int) -> bool:
    """Whether a call of `range` has one argument, a number that is at most `most`."""
    ends = [literal(arg.value) for arg in call.args]
    return len(ends) == 1 and isinstance(ends[0], int) and ends[0] <= most


def lacks_batches(value: Value) -> bool:
    """Whether a loader has no epoch of batches to keep: `batch_size=None` gives the items of its data set as
    they are, so does a `collate_fn` that takes the only one, and a data set as long as a batch gives one."""
    made = [o.obj for o in options_of(value) if isinstance(o, Ref)]
    sizes = [obj.args.get("batch_size") for obj in made]
    if any(isinstance(size, Const) and size.value is None for size in sizes):
        return True
    collates = [obj.args.get("collate_fn") for obj in made]
    if any(isinstance(collate, Function) and _takes_first(collate.node) for collate in collates):
        return True
    return bool(made) and all(map(_gives_one, made))


def _takes_first(collate: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a function gives the first member of what it gets: `lambda items: items[0]`."""
    body: cst.CSTNode | None = collate.body
    if isinstance(collate, cst.FunctionDef):
        lines = [n for n in walk(collate.body) if isinstance(n, cst.Return)]
        body = lines[0].value if len(lines) == 1 else None
    given = collate.params.params[0].name.value if collate.params.params else ""
    if not isinstance(body, cst.Subscript) or dotted(body.value) != given or len(body.slice) != 1:
        return False
    index = body.slice[0].slice
    return isinstance(index, cst.Index) and literal(index.value) == 0


def _gives_one(loader: Obj) -> bool:
    """Whether a batch is as long as the data set: `batch_size=len(data)`, `DataLoader(Rows(n), n)`."""
    data = loader.args.get("dataset", loader.args.get("0"))
    calls = [loader.node, data.obj.node if isinstance(data, Ref) else None]
    size = argument(calls[0], 1, "batch_size") if isinstance(calls[0], cst.Call) else None
    if isinstance(size, cst.Call) and dotted(size.func) == "len":
        return True
    given = calls[1].args if size is not None and isinstance(calls[1], cst.Call) else ()
    counts = (arg.value for arg in given if _says_length(arg))
    return any(size is not None and same(count, size) for count in counts)


def _says_length(arg: cst.Arg) -> bool:
    """Whether an argument of a data set may be its length: by its name, where it is a number written out."""
    name = arg.keyword.value if arg.keyword is not None else ""
    if name == "batch_size":
        return False
    return isinstance(arg.value, cst.Name) or bool(data_hints.LENGTH.search(name))


def bundles(value: Value, parts: int) -> bool:
    """Whether a value puts the parts of a batch together again: `(x, y)`, `{k: v.to(d) for k, v in ...}`."""
    if isinstance(value, Items):
        return parts > 1
    if not isinstance(value, Ref) or value.obj.kind != "dict":
        return False
    return parts > 1 or isinstance(value.obj.node, cst.DictComp)


def is_record(model: ScriptModel, value: Value, *, row: bool) -> bool:
    """Whether a dictionary or a tuple tells what came of one sample of a batch: its text beside a label and a
    score.

    `row`: the store lies in a loop over the samples, where a dictionary always does, and a tuple where a part
    of it is none of the batch. Else an entry of a dictionary that begins as `""` says so.
    """
    if isinstance(value, Items):
        parts = [[o for o in options_of(v) if isinstance(o, Tensor)] for v in value.items]
        return row and any(not any(Trait.MEMBER in o.traits for o in part) for part in parts)
    if not isinstance(value, Ref) or value.obj.kind != "dict" or not _is_written(value.obj.node):
        return False
    entries = [list(options_of(v)) for name, v in model.machine.entries(value.obj) if name.startswith("[")]
    return row or any(len(o) > 1 and any(isinstance(v, Const) for v in o) for o in entries)


def _is_written(node: cst.CSTNode | None) -> bool:
    """Whether a dictionary is written out: `{"id": i}` or `dict(id=i)`."""
    return isinstance(node, cst.Dict) or (isinstance(node, cst.Call) and dotted(node.func) == "dict")
