"""Whether the code around a value shows that it is a tensor, or that it is none."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import call_graph, value_sources
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.knowledge.libraries import BOXES, JOINING, SEVERAL_RESULTS, TENSOR_METHODS
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.elementwise import ELEMENTWISE
from memlint.syntax.expressions import place
from memlint.syntax.tree import dotted, last_name

_KNOWN = frozenset().union(
    libraries.TENSOR_METHODS, libraries.LIGHT_METHODS, libraries.SHAPING_METHODS, libraries.SHARING,
    libraries.ARITHMETIC_METHODS, libraries.INDEX_METHODS, libraries.PAIR_METHODS, libraries.DETACH_METHODS,
    ELEMENTWISE, "log_softmax logsumexp relu var std prod cumsum gather index_select masked_select dot mm "
    "bmm matmul diag clip clamp_min clamp_max softplus exp_ log10 log1p where amax amin dist".split(),
)  # fmt: skip
"""Methods that tensors are known to have."""

_OTHER_KINDS = frozenset(
    "dict Dict OrderedDict DefaultDict Mapping MutableMapping list List Sequence Iterable tuple Tuple "
    "NamedTuple set Set str bytes int float bool None".split()
)


@cached
def is_several(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression, or what a name stands for, may be seen to be a tuple, a list or the like:
    `out.split(4)`, `list(out)`, `[f(o) for o in out]`."""
    sources = value_sources(model, node) if isinstance(node, cst.BaseExpression) else ()
    return any(_gives_several(model, found.node) for found in sources if found.kind == "value")


@cached
def _gives_several(model: ScriptModel, node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.BaseList, cst.BaseSet, cst.Tuple, cst.BaseDict, cst.BaseComp)):
        return True
    if not isinstance(node, cst.Call):
        return False
    name, path = last_name(node.func), model.path_of(node.func)
    if isinstance(node.func, cst.Name) and not path:
        return name in BOXES
    if name not in SEVERAL_RESULTS:
        return False
    return path.startswith("torch.") or (isinstance(node.func, cst.Attribute) and not path)


@cached
def is_by_unknown_method(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a value is what a method gives that tensors do not have: `xr.Dataset(out).merge(more)`."""
    sources = value_sources(model, node) if isinstance(node, cst.BaseExpression) else ()
    for call in (found.node for found in sources if found.kind == "value"):
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            continue
        known = call.func.attr.value in _KNOWN or model.path_of(call.func) or call_graph(model).callees(call)
        if not known:
            return True
    return False


def is_used_as_tensor(model: ScriptModel, node: cst.CSTNode, kept_in: str) -> bool:
    """Whether the code around shows that a value is a tensor: by what it does with it, or with the members of
    the container that keeps it, or by the name of a loss."""
    name = place(node) if isinstance(node, (cst.Name, cst.Attribute)) else ""
    if name and hints.LOSS_VARIABLE.match(name.rpartition(".")[2]):
        return True
    around = model.function_of(node) or model.module
    if name and _has_tensor_use(model, around, {name}):
        return True
    scope = model.module if "." in kept_in else around
    return _joins(model, scope, kept_in) or _has_tensor_use(model, scope, _members(model, scope, kept_in))


def is_told_to_be_another(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether the function that made a value is annotated as giving no tensor: `-> dict[str, Tensor]`."""
    made = (s.node for s in value_sources(model, node) if s.kind == "value")
    called = (f for call in made if isinstance(call, cst.Call) for f in call_graph(model).callees(call))
    return any(
        _root(f.returns.annotation) in _OTHER_KINDS
        for f in called
        if isinstance(f, cst.FunctionDef) and f.returns
    )


def _root(annotation: cst.BaseExpression) -> str:
    """The last name of an annotation without its parameters, of one in quotes as well."""
    if isinstance(annotation, cst.SimpleString):
        return annotation.raw_value.partition("[")[0].rpartition(".")[2]
    return last_name(annotation.value if isinstance(annotation, cst.Subscript) else annotation)


def _joins(model: ScriptModel, scope: cst.CSTNode, kept_in: str) -> bool:
    """Whether the members of a container are joined to one tensor, or added up."""
    joining = (c for c in model.every(cst.Call, scope) if _is_joining(model, c))
    return any(place(a.value) == kept_in for call in joining for a in call.args[:1])


def _is_joining(model: ScriptModel, call: cst.Call) -> bool:
    path = model.path_of(call.func)
    name = last_name(call.func)
    return name in JOINING and (path.startswith("torch.") or (not path and name == "sum"))


def _members(model: ScriptModel, scope: cst.CSTNode, kept_in: str) -> set[str]:
    """The names under which a loop has the members of a container."""
    loops: tuple[cst.For | cst.CompFor, ...]
    loops = (*model.every(cst.For, scope), *model.every(cst.CompFor, scope))
    return {dotted(loop.target) for loop in loops if place(loop.iter) == kept_in} - {""}


def _has_tensor_use(model: ScriptModel, scope: cst.CSTNode, names: Collection[str]) -> bool:
    return any(_is_tensor_use(model, node) for node in _reads(model, scope, names))


def _reads(model: ScriptModel, scope: cst.CSTNode, names: Collection[str]) -> Iterator[cst.CSTNode]:
    if names:
        found = (*model.every(cst.Name, scope), *model.every(cst.Attribute, scope))
        yield from (node for node in found if place(node) in names)


def _is_tensor_use(model: ScriptModel, node: cst.CSTNode) -> bool:
    above = model.parent(node)
    if isinstance(above, cst.Attribute):
        return above.value is node and above.attr.value in TENSOR_METHODS
    if isinstance(above, cst.BinaryOperation) or (isinstance(above, cst.AugAssign) and above.value is node):
        return True
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    return model.path_of(call.func).startswith(("torch.nn.functional.", "torch.functional."))
