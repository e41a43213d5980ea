"""Where the loops that train on the batches of a loader copy them to a device."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition, method, parameters
from memlint.analysis.facts import Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.loading.placement import kept_on, placed
from memlint.analysis.training.loading.worker_code import uses_cuda as loads_on_cuda
from memlint.analysis.training.loading.workers import datasets
from memlint.analysis.values import Obj
from memlint.syntax.arguments import argument_for
from memlint.syntax.tree import leftmost, root_name


def moves_of(model: ScriptModel, loader: Obj) -> list[cst.Call]:
    """The calls that copy parts of a batch to a device, in the loops that train on them."""
    found: list[cst.Call] = []
    for loop in model.trace.iterated.get(loader.id, ()):
        if isinstance(loop.node, cst.For) and any(loop in b.loops for b in model.trace.backwards.values()):
            for move in _moves_in(model, loop):
                if move not in found:
                    found.append(move)
    return sorted(found, key=lambda call: model.positions[call])


def _moves_in(model: ScriptModel, loop: Loop) -> Iterator[cst.Call]:
    assert isinstance(loop.node, cst.For)
    names = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    bodies: list[tuple[cst.CSTNode, set[str]]] = [(loop.node.body, names)]
    for node in model.walk(loop.node.body):
        called = definition(model, node.func) if isinstance(node, cst.Call) else None
        if isinstance(node, cst.Call) and isinstance(called, cst.FunctionDef):
            given = {p.name.value for p in parameters(called) if _gets(model, called, p, node, names)}
            bodies.append((called.body, given))
    for body, known in bodies:
        names = set(known)
        for node in model.walk(body):
            if isinstance(node, cst.Assign) and root_name(node.value) in names:
                names |= {
                    n.value for t in node.targets for n in model.walk(t.target) if isinstance(n, cst.Name)
                }
            elif isinstance(node, cst.CompFor) and _mentions(model, node.iter, names):
                names |= {n.value for n in model.walk(node.target) if isinstance(n, cst.Name)}
        for node in model.walk(body):
            if isinstance(node, cst.Call) and _moves_batch(model, node, names):
                yield node


def _gets(
    model: ScriptModel, function: cst.FunctionDef, param: cst.Param, call: cst.Call, names: set[str]
) -> bool:
    """Whether a call hands something of the batch to a parameter."""
    passed = argument_for(call, function, param.name.value)
    return passed is not None and _mentions(model, passed, names)


def _mentions(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    return any(isinstance(n, cst.Name) and n.value in names for n in model.walk(node))


def _moves_batch(model: ScriptModel, call: cst.Call, names: set[str]) -> bool:
    if not isinstance(call.func, cst.Attribute) or placed(model, call) not in ("cuda", "unknown"):
        return False
    owner = leftmost(call.func.value)
    return isinstance(owner, cst.Name) and owner.value in names and not kind_of(model, owner)


def made_on_device(model: ScriptModel, loader: Obj) -> bool:
    """Whether a loader's batches are made on the GPU."""
    if loads_on_cuda(model, loader):
        return True
    for source in datasets(model, loader):
        start = method(model, source.klass, "__init__") if source.klass is not None else None
        for node in model.walk(start.body) if start is not None else ():
            if isinstance(node, cst.Call) and placed(model, node) == "cuda":
                return True
        for arg in source.node.args if isinstance(source.node, cst.Call) else ():
            if kept_on(model, arg.value) is not None:
                return True
    return False
