"""Where a large array comes from: a file of unknown size, or a literal shape."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.knowledge import data_hints
from memlint.analysis.tensorflow.flow import Flow
from memlint.detect.tensorflow.array_sizes import element_bytes, element_count
from memlint.detect.tensorflow.image_lists import reads_each
from memlint.syntax.tree import dotted, last_name

_LARGE = 100_000_000
_LOADS = re.compile(
    r"^(numpy\.(load|loadtxt|genfromtxt|fromfile|memmap)|h5py\.File|joblib\.load|pickle\.load)$"
)
_MAKES = re.compile(
    r"^numpy\.(zeros|ones|empty|full|random\.(rand|randn|random|normal|uniform|randint|random_sample))$"
)
_STACKS = re.compile(r"^numpy\.(stack|concatenate|vstack|array|asarray)$")
_TABLES = re.compile(r"^pandas\.read_\w+$")
_SAME = frozenset({"astype", "reshape", "copy", "transpose", "squeeze", "to_numpy", "values", "get"})
_ROWS = ("drop", "dropna", "fillna", "sample", "copy")


def large_source(flow: Flow, node: cst.CSTNode, depth: int) -> cst.CSTNode | None:
    """Where a large array comes from: a file of unknown size, or a literal shape of 100 MB and more."""
    if not depth or data_hints.SMALL_ARRAY.search(dotted(node).rpartition(".")[2]):
        return None
    for source in flow.sources(node):
        if isinstance(source, cst.Call):
            found = _made(flow, source, depth)
        elif isinstance(source, cst.Subscript):
            found = _member(flow, source, depth)
        elif isinstance(source, cst.BinaryOperation):
            found = large_source(flow, source.left, depth - 1)
        elif isinstance(source, cst.Attribute) and source.attr.value == "values":
            found = _table(flow, source.value)
        else:
            found = None
        if found is not None:
            return found
    return None


def _made(flow: Flow, call: cst.Call, depth: int) -> cst.CSTNode | None:
    """The call that makes a large array, or that of the array which it was made from."""
    api = flow.api(call.func)
    text = flow.model.code(call)
    if _LOADS.match(api):
        return None if data_hints.SMALL_FILE.search(re.sub(r"\W", "_", text.partition("(")[2])) else call
    if api == "numpy.frombuffer" and call.args and _is_a_whole_file(call.args[0].value):
        return call
    if _MAKES.match(api):
        return call if element_count(flow, call) * element_bytes(text) >= _LARGE else None
    if _STACKS.match(api) and call.args and reads_each(flow, call.args[0].value):
        return call
    if isinstance(call.func, cst.Attribute) and not api:
        if call.func.attr.value == "to_numpy":
            return _table(flow, call.func.value)
        if call.func.attr.value in _SAME:
            return large_source(flow, call.func.value, depth - 1)
    if api in ("numpy.asarray", "numpy.array", "numpy.expand_dims", "numpy.float32") and call.args:
        return large_source(flow, call.args[0].value, depth - 1)
    return None


def _is_a_whole_file(node: cst.CSTNode) -> bool:
    """`f.read()`, without a number of bytes."""
    return isinstance(node, cst.Call) and not node.args and last_name(node.func) == "read"


def _member(flow: Flow, node: cst.Subscript, depth: int) -> cst.CSTNode | None:
    """`np.load("data.npz")["x"]`, `f["x"][:]`: a member of an archive, unless its name speaks of labels."""
    part = node.slice[0].slice
    if isinstance(part, cst.Slice):
        whole = len(node.slice) == 1 and part.lower is None and part.upper is None
        return large_source(flow, node.value, depth - 1) if whole else None
    index = cst.ensure_type(part, cst.Index).value
    if isinstance(index, cst.SimpleString) and data_hints.SMALL_ARRAY.search(str(index.evaluated_value)):
        return None
    return large_source(flow, node.value, depth - 1) if isinstance(index, cst.SimpleString) else None


def _table(flow: Flow, node: cst.CSTNode) -> cst.CSTNode | None:
    """The file that a data frame was read from, where all of the frame is taken."""
    for source in flow.sources(node):
        if isinstance(source, cst.Call) and _TABLES.match(flow.api(source.func)):
            return source
        func = source.func if isinstance(source, cst.Call) else None
        if isinstance(func, cst.Attribute) and func.attr.value in _ROWS:
            return _table(flow, func.value)
    return None
