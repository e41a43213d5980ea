"""MEM129: lru_cache on a method keeps the objects that it was called on, and the tensors that it returned."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import parameters
from memlint.analysis.dataflow.value_sources import call_graph, value_sources
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of_class, tensor_attributes
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import UNKNOWN, literal
from memlint.syntax.tree import dotted, last_name

_CACHES = ("functools.lru_cache", "functools.cache")
_CACHE_NAMES = ("lru_cache", "cache")
_DEFAULT = 128
"""The `maxsize` of `functools.lru_cache`."""

_MANY = 64
"""As many objects as few programs make: a cache of so many entries keeps all of them."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Caches of functools on methods of networks and of classes that keep tensors."""
    for path in _CACHES:
        for name in model.names.references(path):
            call = model.parent(name)
            decorator = model.parent(call) if isinstance(call, cst.Call) and call.func is name else call
            function = model.parent(decorator) if isinstance(decorator, cst.Decorator) else None
            if not isinstance(function, cst.FunctionDef) or not isinstance(decorator, cst.Decorator):
                continue
            owner = _owner(model, function)
            size = _entries(model, path, decorator)
            if owner is None or size == 0 or stands_in_unit_test(model, function):
                continue
            role = role_of_class(model, owner)
            kept = tensor_attributes(model, owner) if role == "instance" else set[str]()
            if role == "module" or kept:
                values = {"method": function.name.value, "owner": owner.name.value, "size": str(size)}
                label = Label("every call adds `self` to the cache", function.name)
                caches = dict.fromkeys([decorator, *_caches_below(model, function)])
                causes = tuple((cache,) for cache in caches)
                beside = role == "instance" and not _reads(model, function, kept)
                variant = "beside" if beside else _variant(size)
                yield Match(decorator, values, variant, labels=(label,), causes=causes)


def _reads(model: ScriptModel, method: cst.FunctionDef, attributes: set[str]) -> bool:
    """Whether a method reads one of some attributes of its object."""
    read = (node for node in model.every(cst.Attribute, method.body) if dotted(node.value) == "self")
    return any(node.attr.value in attributes for node in read)


def _caches_below(model: ScriptModel, function: cst.FunctionDef) -> Iterator[cst.Decorator]:
    """The caches of the methods that a method calls on parts of its object: they live as long as it does."""
    graph = call_graph(model)
    for call in model.every(cst.Call, function.body):
        owner = call.func.value if isinstance(call.func, cst.Attribute) else call.func
        imported = any(isinstance(s, cst.Call) and model.path_of(s.func) for s in graph.follow(owner))
        for called in graph.callees(call) if imported else graph.perhaps_run(call):
            if isinstance(called, cst.FunctionDef) and called is not function:
                yield from (d for d in called.decorators if _is_cache(d))


def _is_cache(decorator: cst.Decorator) -> bool:
    made = decorator.decorator
    return last_name(made.func if isinstance(made, cst.Call) else made) in _CACHE_NAMES


def _variant(size: int | None) -> str:
    if size is None:
        return "default"
    return "unknown" if size < 0 else "few" if size < _MANY else "many"


def _owner(model: ScriptModel, function: cst.FunctionDef) -> cst.ClassDef | None:
    """The class whose objects a method gets as its first argument."""
    above = model.parent(model.parent(function) or function)
    kinds = {dotted(d.decorator).rpartition(".")[2] for d in function.decorators}
    bound = parameters(function) and not kinds & {"staticmethod", "classmethod"}
    return above if isinstance(above, cst.ClassDef) and bound else None


def _entries(model: ScriptModel, path: str, decorator: cst.Decorator) -> int | None:
    """How many results a cache keeps: None for all, -1 where that is not known."""
    call = decorator.decorator
    if path == "functools.cache":
        return None
    size = argument(call, 0, "maxsize") if isinstance(call, cst.Call) else None
    if size is None:
        return _DEFAULT
    sources = value_sources(model, size)
    found = {literal(source.node) if source.kind == "value" else UNKNOWN for source in sources}
    value = found.pop() if len(found) == 1 else UNKNOWN
    return value if value is None or isinstance(value, int) else -1
