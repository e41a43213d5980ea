"""What the constructor of a data set class keeps: Python objects, paths, arrays or tensors, and how many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import definition, method
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_one, place
from memlint.syntax.tree import dotted

_RECORDS = re.compile(
    r"^((u|or|simple|raw)?json\.loads?|orjson\.loads|jsonlines\.\w+|pickle\.loads?|cPickle\.load|dill\.load|joblib\.load|yaml\.\w*load\w*"
    r"|csv\.(reader|DictReader)|xml\.\w+(\.\w+)*|srsly\.\w+|toml\w*\.loads?)$"
)
_RECORD_METHODS = frozenset(
    "to_dict readlines splitlines itertuples iterrows to_records tolist to_list".split()
)
_PATH_CALLS = re.compile(
    r"^(glob\.i?glob|os\.(listdir|walk|scandir)|os\.path\.\w+|pathlib\.\w+|natsort\.\w+|torchvision\.datasets\.folder\.\w+)$"
)
_PATH_METHODS = frozenset("glob rglob iterdir joinpath with_suffix".split())
_ARRAYS = re.compile(
    r"^numpy\.(?!(memmap|linspace|arange)$)(load|loadtxt|genfromtxt|array|asarray|stack|concatenate|vstack|hstack|zeros|ones|empty|full"
    r"|fromfile|random\.\w+|random|ascontiguousarray|expand_dims|transpose)$"
)
_ARRAY_METHODS = frozenset("to_numpy numpy astype values toarray".split())
_FRAMES = re.compile(r"^(pandas|pd)\.(read_\w+|DataFrame|concat)$")
_SHARED = re.compile(
    r"^(torch\.(?!load|utils)\w+(\.\w+)*|numpy\.memmap|datasets\.\w+|pyarrow\.\w+(\.\w+)*|zarr\.\w+|h5py\.\w+|mmap\.\w+|multiprocessing\.\w+)$"
)
_KEEPING = frozenset("sorted list tuple reversed dict shuffle set".split())
_KEYS = frozenset("sorted list tuple set".split())
_FILLING = frozenset("append extend add insert update".split())
_FEW = 10_000
_DEPTH = 5


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
    found: dict[str, Stored] = {}
    for function in _constructing(model, klass) if used else ():
        for node in model.walk(function.body):
            for target, value in _assignments(node):
                if not isinstance(target, cst.Attribute) or dotted(target.value) != "self":
                    continue
                name = target.attr.value
                what = kind(model, value) if name in used and name not in found else ""
                if what == "records" and _holds_class_numbers(model, klass, name):
                    what = ""
                if what == "records" and (hints.PATH_VARIABLE.search(name) or hints.SHORT_ENTRY.search(name)):
                    what = "paths"
                if what:
                    found[name] = Stored(name, what, node)
    return list(found.values())


def _constructing(model: ScriptModel, klass: cst.ClassDef) -> list[cst.FunctionDef]:
    """The constructor of a class and the methods that it calls to fill the object."""
    start = method(model, klass, "__init__")
    if start is None:
        return []
    found = [start]
    for node in model.walk(start.body):
        if isinstance(node, cst.Call) and dotted(node.func).startswith("self."):
            called = method(model, klass, dotted(node.func)[5:])
            if called is not None and called not in found:
                found.append(called)
    return found


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
                if dotted(owner).startswith("self."):
                    found.add(dotted(owner)[5:])
            elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                called = definition(model, node.func)
                waiting.append(called if isinstance(called, cst.FunctionDef) else None)
    return found


def kind(model: ScriptModel, node: cst.BaseExpression, depth: int = _DEPTH) -> str:
    """What an expression builds, by the words of `Stored.what`; "" where the file does not tell."""
    found = [_one(model, origin, depth) for origin in value_sources(model, node)] if depth > 0 else []
    known = [what for what in found if what]
    return known[0] if known else ""


def _one(model: ScriptModel, origin: Definition, depth: int) -> str:
    node = origin.node
    if origin.kind != "value" or not isinstance(node, cst.BaseExpression):
        return ""
    if _starts_empty(node):
        return _filled(model, node, depth - 1)
    if isinstance(node, (cst.ListComp, cst.SetComp)):
        return _comprehended(model, node.elt, node.for_in, depth)
    if isinstance(node, cst.DictComp):
        return _comprehended(model, node.value, node.for_in, depth)
    if isinstance(node, cst.Call):
        return _called(model, node, depth)
    if isinstance(node, cst.Subscript):
        return "" if _is_few(model, node) else kind(model, node.value, depth - 1)
    if isinstance(node, cst.Attribute) and node.attr.value == "values":
        return "array" if kind(model, node.value, depth - 1) == "frame" else ""
    if isinstance(node, cst.BinaryOperation):
        return kind(model, node.left, depth - 1) or kind(model, node.right, depth - 1)
    return ""


def _called(model: ScriptModel, call: cst.Call, depth: int) -> str:
    path = model.path_of(call.func)
    name = dotted(call.func).rpartition(".")[2] or _attribute_name(call.func)
    if path == "numpy.load" and any(
        a.keyword is not None and a.keyword.value == "mmap_mode" for a in call.args
    ):
        return "shared"
    dtype = keyword(call, "dtype")
    collects = path in ("numpy.array", "numpy.asarray", "numpy.stack")
    if collects and dtype is not None and dotted(dtype) == "object":
        return "records"
    for pattern, what in (
        (_RECORDS, "records"),
        (_PATH_CALLS, "paths"),
        (_ARRAYS, "array"),
        (_FRAMES, "frame"),
    ):
        if pattern.match(path):
            return what
    if _SHARED.match(path):
        return "shared"
    made = definition(model, call.func)
    if isinstance(made, cst.FunctionDef):
        return _returned(model, made, depth)
    if name in _KEYS and call.args and _is_mapping(model, call.args[0].value):
        return "paths"
    if name in _KEEPING or path in ("copy.deepcopy", "copy.copy"):
        return kind(model, call.args[0].value, depth - 1) if call.args else ""
    if path or not isinstance(call.func, cst.Attribute):
        return _mapped(model, call, depth) if name == "map" else ""
    return _method_call(model, call.func, depth)


def _is_mapping(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether a value is a dictionary for sure, of which a list takes the keys only."""
    found = [origin.node for origin in value_sources(model, node)]
    called = {dotted(n.func).rpartition(".")[2] for n in found if isinstance(n, cst.Call)}
    plain = all(isinstance(n, (cst.Dict, cst.DictComp, cst.Call)) for n in found)
    return bool(found) and plain and called <= {"dict", "OrderedDict", "defaultdict"}


def _attribute_name(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def _method_call(model: ScriptModel, func: cst.Attribute, depth: int) -> str:
    name = func.attr.value
    if name in _PATH_METHODS:
        return "paths"
    if name in _RECORD_METHODS:
        return "records"
    if name == "split" and calls_one(func.value, "read"):
        return "records"
    if name in _ARRAY_METHODS:
        return "array"
    if name in ("items", "values", "keys", "copy", "reset_index", "dropna", "sample", "query"):
        return kind(model, func.value, depth - 1)
    return ""


def _mapped(model: ScriptModel, call: cst.Call, depth: int) -> str:
    return kind(model, call.args[1].value, depth - 1) if len(call.args) > 1 else ""


def _returned(model: ScriptModel, function: cst.FunctionDef, depth: int) -> str:
    for node in model.walk(function.body):
        if isinstance(node, cst.Return) and node.value is not None:
            found = kind(model, node.value, depth - 1)
        elif isinstance(node, cst.Yield) and isinstance(node.value, cst.BaseExpression):
            found = _in_loop(model, node, node.value, depth - 1)
        else:
            continue
        if found:
            return found
    return ""


def _comprehended(model: ScriptModel, element: cst.BaseExpression, loop: cst.CompFor, depth: int) -> str:
    """What a comprehension builds: by its elements, unless there are few of them."""
    if _is_few(model, loop.iter):
        return ""
    return _element(model, element, loop.iter, depth)


def _element(
    model: ScriptModel, element: cst.BaseExpression, source: cst.BaseExpression | None, depth: int
) -> str:
    own = _element_kind(model, element)
    if own:
        return own
    inner = kind(model, source, depth - 1) if source is not None else ""
    if inner in ("paths", "records"):
        return inner
    if source is not None and any(_is_file(o.node) for o in value_sources(model, source)):
        return "records"
    return ""


def _element_kind(model: ScriptModel, element: cst.BaseExpression) -> str:
    """What a list of such elements holds: by the shape of the element."""
    if isinstance(element, cst.Tuple):
        parts = [_element_kind(model, e.value) or _named_path(e.value) for e in element.elements]
        heavy = [p for p in parts if p in ("records", "tensors")]
        return heavy[0] if heavy else "paths" if "paths" in parts else "records"
    if isinstance(element, (cst.Dict, cst.List, cst.ListComp, cst.DictComp)):
        return "records"
    if isinstance(element, (cst.FormattedString, cst.BinaryOperation)):
        return "paths" if hints.PATH_VARIABLE.search(_first_word(model, element)) else ""
    if isinstance(element, cst.Call):
        inner = element.func.value if isinstance(element.func, cst.Attribute) else None
        return _element_call(model, element) or (
            _element_kind(model, inner) if isinstance(inner, (cst.Call, cst.Subscript)) else ""
        )
    if isinstance(element, cst.Subscript) and isinstance(element.value, cst.Call):
        return _element_kind(model, element.value)
    return _named_path(element)


def _first_word(model: ScriptModel, node: cst.BaseExpression) -> str:
    words = [n.value for n in model.walk(node) if isinstance(n, cst.Name)]
    return words[0] if words else ""


def _named_path(node: cst.BaseExpression) -> str:
    name = dotted(node).rpartition(".")[2]
    return "paths" if name and hints.PATH_VARIABLE.search(name) else ""


def _element_call(model: ScriptModel, call: cst.Call) -> str:
    path = model.path_of(call.func)
    name = _attribute_name(call.func) or dotted(call.func)
    if path.startswith(("torch.", "torchvision.")) or _ARRAYS.match(path):
        return "tensors"
    if path in ("PIL.Image.open", "cv2.imread", "imageio.imread", "librosa.load", "soundfile.read"):
        return "tensors"
    if _RECORDS.match(path):
        return "records"
    if _PATH_CALLS.match(path) or name in _PATH_METHODS:
        return "paths"
    if name in ("split", "strip", "rstrip", "lower", "encode", "tokenize", "decode", "dict", "to_dict"):
        return "records"
    return ""


def _is_few(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether an expression stands for fewer than ten thousand items for sure."""
    if isinstance(source, (cst.List, cst.Tuple, cst.Dict)):
        return len(source.elements) < _FEW
    end: cst.BaseExpression | None = None
    if isinstance(source, cst.Call) and dotted(source.func) == "range":
        end = source.args[-1 if len(source.args) < 3 else 1].value
    elif _is_slice(source):
        end = cst.ensure_type(source.slice[0].slice, cst.Slice).upper
    ends = [o.node for o in value_sources(model, end)] if end is not None else []
    return bool(ends) and all(isinstance(e, cst.Integer) and e.evaluated_value < _FEW for e in ends)


def _is_file(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and (
        dotted(node.func) in ("open", "tqdm") or _attribute_name(node.func) == "open"
    )


def _filled(model: ScriptModel, empty: cst.BaseExpression, depth: int) -> str:
    """What a container that starts empty is filled with, in loops of the same function or class."""
    assigned = model.parent(empty)
    if isinstance(assigned, cst.Assign):
        name = place(assigned.targets[0].target)
    elif isinstance(assigned, cst.AnnAssign):
        name = place(assigned.target)
    else:
        return ""
    owner = model.class_of(empty) if name.startswith("self.") else None
    for node in model.walk(owner or model.function_of(empty) or model.module):
        added = _added(model, node, name)
        if added is None or _is_int(added):
            continue
        more = isinstance(node, cst.Call) and dotted(node.func).endswith((".extend", ".update"))
        if found := (kind(model, added, depth) if more else "") or _in_loop(model, node, added, depth):
            return found
    return ""


def _is_int(added: cst.BaseExpression) -> bool:
    """Whether a whole number is added: the small ones are shared by CPython, and reading writes nothing."""
    if isinstance(added, cst.List) and len(added.elements) == 1:
        added = added.elements[0].value
    return isinstance(added, cst.Call) and dotted(added.func) == "int"


def _holds_class_numbers(model: ScriptModel, klass: cst.ClassDef, name: str) -> bool:
    """Whether each entry that an item takes becomes a tensor of whole numbers by itself: ratings, labels."""
    taken = [
        n
        for n in model.every(cst.Subscript, klass)
        if dotted(n.value) == f"self.{name}" and not isinstance(model.parent(n), cst.AssignTarget)
    ]
    return bool(taken) and all(_becomes_number(model, n) for n in taken)


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


def _added(model: ScriptModel, node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """The value that a statement or call puts into the container `name`."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        owner = node.func.value
        if isinstance(owner, cst.Subscript):
            owner = owner.value
        elif isinstance(owner, cst.Call) and dotted(owner.func).endswith(".setdefault"):
            owner = owner.func.value if isinstance(owner.func, cst.Attribute) else owner
        if node.func.attr.value in _FILLING and node.args and place(owner) == name:
            return node.args[-1].value
    elif isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Subscript):
        if place(node.targets[0].target.value) == name:
            return node.value
    elif isinstance(node, cst.AugAssign) and place(node.target) == name:
        return node.value
    return None


def _starts_empty(value: cst.BaseExpression) -> bool:
    if isinstance(value, (cst.List, cst.Dict)):
        return not value.elements
    if not isinstance(value, cst.Call):
        return False
    name = dotted(value.func).rpartition(".")[2]
    return name == "defaultdict" or (name in ("list", "dict", "OrderedDict") and not value.args)


def _in_loop(model: ScriptModel, node: cst.CSTNode, added: cst.BaseExpression, depth: int) -> str:
    """What adding `added` in the loops around it makes of a container; nothing outside of a loop."""
    loops = [above for above in model.ancestors(node) if isinstance(above, cst.For)]
    if not loops or all(_is_few(model, loop.iter) for loop in loops):
        return ""
    whole = added.value if _is_slice(added) else added
    ends = [o.node for o in value_sources(model, whole) if o.kind == "value"]
    resolved = [node for node in ends if isinstance(node, cst.BaseExpression)]
    for candidate in [added, *resolved]:
        for loop in loops:
            if found := _element(model, candidate, loop.iter, depth):
                return found
    return ""


def _is_slice(node: cst.BaseExpression) -> TypeGuard[cst.Subscript]:
    return isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Slice)
