"""What an expression builds: Python objects, paths, arrays, tensors, a data frame or shared memory."""

from __future__ import annotations

from typing import TypeGuard

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import data_hints, libraries
from memlint.analysis.knowledge.data_sources import (
    ARRAY_CALLS,
    ARRAY_METHODS,
    FRAME_CALLS,
    PATH_CALLS,
    PATH_METHODS,
    RECORD_CALLS,
    RECORD_METHODS,
    SHARED_CALLS,
)
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_one, place, same
from memlint.syntax.tree import dotted

_KEEPING = frozenset("sorted list tuple reversed dict shuffle set".split())
_KEYS = frozenset("sorted list tuple set".split())
_FILLING = frozenset("append extend add insert update".split())
_OF_TENSORS = frozenset("pin_memory share_memory_ cuda".split())
"""Methods of tensors: dictionaries of their results are batches, large beside the objects that hold them."""
_TEXT_METHODS = frozenset("zfill format join lower upper strip rjust ljust center replace title".split())
_NUMBERS = frozenset("len min max sum int float bool round".split())
"""Functions of Python that give numbers."""
_FEW = 10_000
_MANY = 1_000_000
_SLIGHT = 3
"""Fields of a record that weighs little more than the path in it."""
_DEPTH = 5


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
        return "" if _is_few(model, node) else _entry(model, node, depth - 1)
    if isinstance(node, cst.Attribute) and node.attr.value == "values":
        return "array" if kind(model, node.value, depth - 1) == "frame" else ""
    if isinstance(node, cst.BinaryOperation):
        return kind(model, node.left, depth - 1) or kind(model, node.right, depth - 1)
    return ""


def _entry(model: ScriptModel, node: cst.Subscript, depth: int) -> str:
    """What an entry of a container is: what the function last made of its entries, `columns[name] =
    np.array(columns[name])`, else what the container holds."""
    function = model.function_of(node)
    lines = model.every(cst.Assign, function) if function is not None else ()
    entries = [(t.target, line.value) for line in lines for t in line.targets]
    made = [v for t, v in entries if isinstance(t, cst.Subscript) and same(t.value, node.value)]
    found = [what for value in made if (what := kind(model, value, depth))]
    return found[-1] if found else kind(model, node.value, depth)


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
        (RECORD_CALLS, "records"),
        (PATH_CALLS, "paths"),
        (ARRAY_CALLS, "array"),
        (FRAME_CALLS, "frame"),
    ):
        if pattern.match(path):
            return what
    if SHARED_CALLS.match(path):
        return "shared"
    made = definition(model, call.func)
    if isinstance(made, cst.FunctionDef):
        return _returned(model, made, depth)
    if name in _KEYS and call.args and _is_mapping(model, call.args[0].value):
        return "paths"
    if name in _KEEPING or path == "copy.deepcopy" or _passes_through(model, call):
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
    if name in PATH_METHODS:
        return "paths"
    if name in RECORD_METHODS:
        return "records"
    if name == "split" and calls_one(func.value, "read"):
        return "records"
    if name in ARRAY_METHODS:
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
    inner = element.value if isinstance(element, cst.DictComp) else None
    is_batch = isinstance(inner, cst.Call) and _attribute_name(inner.func) in _OF_TENSORS
    if is_batch or _is_few(model, loop.iter):
        return ""
    counted = dotted(element) == dotted(loop.target) != ""
    if (counted or _is_text(element)) and _counts_to_many(model, loop.iter):
        return "records"
    return _element(model, element, loop.iter, depth)


def _element(
    model: ScriptModel, element: cst.BaseExpression, source: cst.BaseExpression | None, depth: int
) -> str:
    filled = _filled(model, element, depth - 1) if depth > 0 and _starts_empty(element) else ""
    own = filled or _element_kind(model, element)
    inner = kind(model, source, depth - 1) if source is not None and own in ("", "records") else ""
    if own == "records" and inner == "paths" and _is_listed(model, element):
        return "paths"
    if own or inner in ("paths", "records"):
        return own or inner
    return "records" if source is not None and _is_file(model, source) else ""


def _is_listed(model: ScriptModel, element: cst.BaseExpression) -> bool:
    """Whether a record of a listed file or folder has two or three fields, its path and numbers or None."""
    if not isinstance(element, cst.Dict) or not 0 < len(element.elements) <= _SLIGHT:
        return False
    fields = [e.value for e in element.elements if isinstance(e, cst.DictElement)]
    others = [value for value in fields if not _named_path(value)]
    return len(others) < len(fields) == len(element.elements) and all(_is_number(model, v) for v in others)


def _is_number(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is a number or None for sure."""
    ends = [o.node for o in value_sources(model, node)]
    return bool(ends) and all(
        isinstance(end, (cst.Integer, cst.Float))
        or (isinstance(end, cst.Name) and end.value in ("None", "True", "False"))
        or (isinstance(end, cst.Call) and dotted(end.func) in _NUMBERS)
        for end in ends
    )


def _element_kind(model: ScriptModel, element: cst.BaseExpression) -> str:
    """What a list of such elements holds: by the shape of the element."""
    if isinstance(element, (cst.Tuple, cst.List)) and element.elements:
        parts = [_element_kind(model, e.value) or _named_path(e.value) for e in element.elements]
        heavy = [p for p in parts if p in ("records", "tensors")]
        return heavy[0] if heavy else "paths" if "paths" in parts else "records"
    if isinstance(element, (cst.Dict, cst.List, cst.ListComp, cst.DictComp)):
        return "records"
    if isinstance(element, (cst.FormattedString, cst.BinaryOperation)):
        return "paths" if data_hints.PATH_VARIABLE.search(_first_word(model, element)) else ""
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
    return "paths" if name and data_hints.PATH_VARIABLE.search(name) else ""


def _element_call(model: ScriptModel, call: cst.Call) -> str:
    path = model.path_of(call.func)
    name = _attribute_name(call.func) or dotted(call.func)
    if path.startswith(("torch.", "torchvision.")) or ARRAY_CALLS.match(path):
        return "tensors"
    if path in ("PIL.Image.open", "cv2.imread", "imageio.imread", "librosa.load", "soundfile.read"):
        return "tensors"
    if RECORD_CALLS.match(path):
        return "records"
    if PATH_CALLS.match(path) or name in PATH_METHODS:
        return "paths"
    if name in ("split", "strip", "rstrip", "lower", "encode", "tokenize", "decode", "dict", "to_dict"):
        return "records"
    return ""


def _is_few(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether an expression stands for fewer than ten thousand items for sure."""
    if isinstance(source, cst.Call) and source.args and _passes_through(model, source):
        return _is_few(model, source.args[0].value)
    if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute):
        entries = source.func.attr.value in ("items", "keys", "values") and not source.args
        return entries and _is_few(model, source.func.value)
    if isinstance(source, (cst.List, cst.Tuple, cst.Dict)):
        return len(source.elements) < _FEW
    if isinstance(source, (cst.Name, cst.Attribute)):
        lists = [o.node for o in value_sources(model, source)]
        return bool(lists) and all(_is_written_out(model, node) for node in lists)
    end: cst.BaseExpression | None = None
    if isinstance(source, cst.Call) and dotted(source.func) == "range":
        end = source.args[-1 if len(source.args) < 3 else 1].value
    elif _is_slice(source):
        end = cst.ensure_type(source.slice[0].slice, cst.Slice).upper
    ends = [o.node for o in value_sources(model, end)] if end is not None else []
    return bool(ends) and all(isinstance(e, cst.Integer) and e.evaluated_value < _FEW for e in ends)


def _is_written_out(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a list, tuple or dictionary is written with all its members, and no loop adds to it."""
    if not isinstance(node, (cst.List, cst.Tuple, cst.Dict)) or not node.elements:
        return False
    starred = any(isinstance(e, (cst.StarredElement, cst.StarredDictElement)) for e in node.elements)
    return not starred and len(node.elements) < _FEW and not _filled(model, node, 1)


def _counts_to_many(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether an expression is a `range` of a million numbers or more: each of them is an object."""
    if not isinstance(source, cst.Call) or dotted(source.func) != "range":
        return False
    found = [o.node for o in value_sources(model, source.args[-1 if len(source.args) < 3 else 1].value)]
    ends = [(n.default or n) if isinstance(n, cst.Param) else n for n in found]
    return bool(ends) and all(isinstance(e, cst.Integer) and e.evaluated_value >= _MANY for e in ends)


def _is_text(element: cst.BaseExpression) -> bool:
    """Whether an expression makes a string: `str(i)`, `f"{i}"`, `"%d" % i`, and their methods."""
    while isinstance(element, cst.Call) and isinstance(element.func, cst.Attribute):
        if element.func.attr.value not in _TEXT_METHODS:
            return False
        element = element.func.value
    if isinstance(element, cst.BinaryOperation):
        return _is_text(element.left)
    if isinstance(element, cst.Call):
        return dotted(element.func) in ("str", "repr", "hex")
    return isinstance(element, (cst.SimpleString, cst.FormattedString))


def _is_file(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether the lines of a file are gone through."""
    calls = [o.node for o in value_sources(model, source) if isinstance(o.node, cst.Call)]
    return any(
        "open" in (dotted(call.func), _attribute_name(call.func))
        or (_passes_through(model, call) and call.args and _is_file(model, call.args[0].value))
        for call in calls
    )


def _passes_through(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call gives the elements of what it is given: a progress bar, `sorted`, `enumerate`."""
    path, name = model.path_of(call.func), dotted(call.func).rpartition(".")[2]
    return name in ("enumerate", "tqdm") or libraries.PASS_THROUGH.match(path) is not None


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
        return kind(model, added, depth) if loops else ""  # an entry may itself hold many
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
