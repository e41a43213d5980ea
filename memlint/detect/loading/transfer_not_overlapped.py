"""MEM410: batches are copied to the GPU while nothing else runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import argument_for, definition, method, origins, parameters
from memlint.analysis.facts import Loop
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Change, Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import uses_cuda
from memlint.analysis.training.loading.datasets import trained_from
from memlint.analysis.training.loading.placement import kept_on, placed
from memlint.analysis.training.loading.worker_code import uses_cuda as loads_on_cuda
from memlint.analysis.training.loading.workers import datasets, loader_argument, loaders, value_of
from memlint.analysis.values import Obj, truth
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import root_name

_SAME = frozenset("zeros ones full empty arange".split())
_RANDOM = frozenset("rand randn randint randperm".split())
_PINNING = "pinned host memory cannot be swapped out; every batch in flight takes some"
_STREAM = "random numbers come from the generator of the GPU, and are others than before"
_DEVICE = "right where the device is a CUDA one"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loaders without pinned memory, blocking copies of pinned batches, tensors made on the wrong side."""
    if not uses_cuda(model):
        return
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        node = loader.node
        assert isinstance(node, cst.Call)
        if node in seen or not trained_from(model, loader) or _on_device(model, loader):
            continue
        moves = _moves_of(model, loader)
        if not moves:
            continue
        seen.add(node)
        pinned = _pinned(model, loader)
        if pinned == "no" and not _speaks_of_mps(model):
            plan = Plan(
                Applicability.UNSAFE,
                "pin the batches",
                (with_keyword(model, node, "pin_memory", "True"),),
                _PINNING,
            )
            values = {"move": model.short(moves[0])}
            yield Match(node, values, labels=(Label("the batch is copied here", moves[0]),), plans=(plan,))
        elif pinned == "yes":
            yield from _blocking(model, loader, [m for m in moves if m not in seen])
            seen.update(moves)
    yield from _made_on_host(model)


def _pinned(model: ScriptModel, loader: Obj) -> str:
    given, value = loader_argument(model, loader, "pin_memory"), value_of(loader, "pin_memory")
    if given is None and value is None:
        return "unknown" if "**" in loader.args else "no"
    if value is not None and truth(value) is not None:
        return "yes" if truth(value) else "unknown"
    found = [model.code(o.node) for o in origins(model, given)] if given is not None else []
    return "yes" if found and all(c in ("True", "torch.cuda.is_available()") for c in found) else "unknown"


def _speaks_of_mps(model: ScriptModel) -> bool:
    return "mps" in model.identifiers or '"mps"' in model.text or "'mps'" in model.text


def _on_device(model: ScriptModel, loader: Obj) -> bool:
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


def _moves_of(model: ScriptModel, loader: Obj) -> list[cst.Call]:
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
    passed = argument_for(model, function, param, call)
    return passed is not None and _mentions(model, passed, names)


def _mentions(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    return any(isinstance(n, cst.Name) and n.value in names for n in model.walk(node))


def _moves_batch(model: ScriptModel, call: cst.Call, names: set[str]) -> bool:
    if not isinstance(call.func, cst.Attribute) or placed(model, call) not in ("cuda", "unknown"):
        return False
    owner = root_name(call.func.value)
    return owner in names and not naming.role(owner)


def _blocking(model: ScriptModel, loader: Obj, moves: list[cst.Call]) -> Iterator[Match]:
    """Copies of pinned batches that the host waits for."""
    waiting = [m for m in moves if not any(a.keyword is not None for a in m.args) and len(m.args) < 2]
    if not waiting:
        return
    changes = tuple(with_keyword(model, move, "non_blocking", "True") for move in waiting)
    certain = all(placed(model, m) == "cuda" and _gives_up(model, m) for m in waiting)
    plan = Plan(
        Applicability.SAFE if certain else Applicability.UNSAFE,
        "do not wait for the copy",
        changes,
        "" if certain else _DEVICE,
    )
    assert loader.node is not None
    labels = (Label("its batches are pinned", loader.node),)
    yield Match(waiting[0], {"move": model.short(waiting[0])}, "blocking", labels, plans=(plan,))


def _gives_up(model: ScriptModel, move: cst.Call) -> bool:
    """Whether the batch on the host cannot be written to afterwards: its name gets the copy."""
    assert isinstance(move.func, cst.Attribute)
    line = model.statement_of(move)
    if not isinstance(move.func.value, cst.Name) or not isinstance(line, cst.SimpleStatementLine):
        return False
    name = move.func.value.value
    return any(
        isinstance(s, cst.Assign)
        and any(isinstance(n, cst.Name) and n.value == name for t in s.targets for n in model.walk(t.target))
        for s in line.body
    )


def _made_on_host(model: ScriptModel) -> Iterator[Match]:
    """`torch.zeros(n).cuda()` in a training step."""
    inside = _step_nodes(model)
    for call in model.names.calls if inside else ():
        made = call.func.value if isinstance(call.func, cst.Attribute) else None
        if not isinstance(made, cst.Call) or len(call.args) > 1 or placed(model, call) != "cuda":
            continue
        path = model.names.one(made.func)
        name = path.rpartition(".")[2]
        if path != f"torch.{name}" or name not in _SAME | _RANDOM:
            continue
        given = {a.keyword.value for a in made.args if a.keyword is not None}
        if given & {"device", "requires_grad", "pin_memory", "generator"} or any(a.star for a in made.args):
            continue
        if any(above in inside for above in model.ancestors(call)):
            yield Match(
                call, {"move": model.short(call)}, "host", plans=(_on_device_plan(model, call, made, name),)
            )


def _on_device_plan(model: ScriptModel, call: cst.Call, made: cst.Call, name: str) -> Plan:
    device = model.code(call.args[0].value) if call.args else '"cuda"'
    if call.args and isinstance(call.func, cst.Attribute) and call.func.attr.value == "cuda":
        device = f'f"cuda:{{{device}}}"'
    arguments = [model.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in made.args]
    text = f"{model.code(made.func)}({', '.join([*arguments, f'device={device}'])})"
    exact = name in _SAME and (name != "arange" or all(isinstance(a.value, cst.Integer) for a in made.args))
    change: Change = Replace(call, text)
    return Plan(
        Applicability.SAFE if exact else Applicability.UNSAFE,
        "make it on the device",
        (change,),
        "" if exact else _STREAM if name in _RANDOM else "floating point steps may be rounded differently",
    )


def _step_nodes(model: ScriptModel) -> set[cst.CSTNode]:
    """The loops around a backward, and the functions that run inside them."""
    found: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if backward.loops:
            loop = backward.loops[-1]
            found.add(loop.node)
            for frame in backward.frame.chain():
                if frame is loop.frame:
                    break
                found.add(frame.node)
    return found
