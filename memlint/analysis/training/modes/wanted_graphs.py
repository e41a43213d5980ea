"""Forward passes whose graph somebody wants, though no backward in view runs through it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.facts import Forward
from memlint.analysis.interpret.unseen import differentiates
from memlint.analysis.knowledge.hints import EXPLAINS_GRAPH
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import ClassInfo, Ref, options_of
from memlint.syntax.expressions import literal
from memlint.syntax.names import Names
from memlint.syntax.tree import comments_above, dotted


def is_wanted(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward pass, or a call that leads to it, stands under a written `torch.enable_grad()`, or a
    comment above its line says why there is no `no_grad`: forces are gradients."""
    places = [node for node in active_nodes(forward).values() if model.owns(node)]
    above = [a for node in places for a in model.ancestors(node)]
    items = (item.item for a in above if isinstance(a, cst.With) for item in a.items)
    if any(isinstance(item, cst.Call) and _switches_on(model, item) for item in items):
        return True
    lines = [line for node in places if (line := model.statement_of(node)) is not None]
    lines += [a for a in above if isinstance(a, cst.With)]
    return any(EXPLAINS_GRAPH.search(text) for line in lines for text in comments_above(line))


def _switches_on(model: ScriptModel, call: cst.Call) -> bool:
    path = model.path_of(call.func)
    given = bool(call.args) and literal(call.args[0].value) is True
    return path == "torch.enable_grad" or (path == "torch.set_grad_enabled" and given)


def differentiates_itself(model: ScriptModel, forward: Forward) -> bool:
    """Whether the class of a network has it run backward, or compute derivatives, on the way to its result:
    forces are derivatives of an energy."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    called = func.attr.value if isinstance(func, cst.Attribute) else ""
    classes = (o.obj.cls for o in options_of(forward.module) if isinstance(o, Ref) and o.obj.cls is not None)
    return any(
        differentiates(names, call)
        for info in classes
        for names, method in _methods_of_a_call(model, info, called if called in info.methods else "forward")
        for call in names.every(cst.Call, method)
    )


def _methods_of_a_call(
    model: ScriptModel, info: ClassInfo, called: str
) -> Iterator[tuple[Names, cst.FunctionDef]]:
    """The methods that a call of a network runs, with the names of their file: `forward`, and what it calls
    on its object."""
    seen, pending = set[str](), [called]
    while pending:
        name = pending.pop()
        found = info.find(name) if name not in seen else None
        seen.add(name)
        if found is None:
            continue
        method, frame = found
        names = frame.root().names or model.names
        yield names, method
        own = (call.func for call in names.every(cst.Call, method) if isinstance(call.func, cst.Attribute))
        pending += [func.attr.value for func in own if dotted(func.value) == "self"]
