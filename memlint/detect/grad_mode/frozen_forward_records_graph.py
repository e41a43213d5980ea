"""MEM203: a network that nothing trains is run in the training loop with its graph recorded."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.fixes.plans import ASKED
from memlint.analysis.match import AddImport, Label, Match, Plan, Wrap, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import asks_for_graph
from memlint.analysis.training.graphs import may_be_differentiated, trains_through
from memlint.analysis.training.rounding import keeps_what_it_makes, rounds_alike
from memlint.analysis.training.untrained_networks import Untrained, networks, untrained
from memlint.analysis.values import Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability

_CAUTION = "right only if nothing trains this network, here or in code that memlint cannot see"
_RAISES = "the loss has no other graph: under no_grad its backward() would raise"
_TRAINS = frozenset({"backward", "manual_backward", "training_step"})
"""One of these words stands in code that trains, also where what it calls was not read."""

_ROUNDING = "the network may round differently under no_grad"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Forward passes of networks in no optimizer, in training loops."""
    if not (model.trace.backwards or _TRAINS & model.identifiers):
        return
    seen, told = set[int](), set[Obj]()
    for found in untrained(model):
        node = found.forward.node
        if id(node) in seen:
            continue
        seen.add(id(node))
        alone = not found.cut and _is_all_of_the_graph(model, found)
        if alone and any(n in told for n in networks(found.forward)):
            continue
        told.update(networks(found.forward) if alone else ())
        plan = _plan(model, found) if not alone else None
        step = found.step.node.name if isinstance(found.step.node, cst.FunctionDef) else found.step.node
        yield Match(
            node,
            {"forward": model.short(node), "network": found.forward.code or "the network"},
            "default" if found.cut else "alone" if alone else "reached",
            (Label("only other parameters are trained by this step", step),),
            plans=(plan,) if plan is not None else (),
            no_fix=_RAISES if alone else "",
            causes=causes_of([found.forward]),
        )


def _is_all_of_the_graph(model: ScriptModel, found: Untrained) -> bool:
    """Whether a backward runs through nothing but this network: without its graph it would raise."""
    trace, network = model.trace, found.forward.module
    others = trace.graph_leaves | trace.unknowns
    for forward in trace.passes():
        if forward.module != network and forward.recorded and forward.grad != "off":
            others |= forward.ids
    graphs = (trace.ancestors(b.ids) for b in trace.backwards.values())
    return any(graph.isdisjoint(others) for graph in graphs if not graph.isdisjoint(found.forward.ids))


def _plan(model: ScriptModel, found: Untrained) -> Plan | None:
    """The whole statement under no_grad, where it holds nothing but this forward pass."""
    line = model.statement_of(found.forward.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if not isinstance(line.body[0], (cst.Assign, cst.AnnAssign)):
        return None
    inside = set(model.walk(line))
    others = [
        f for f in model.trace.forwards.values() if f.node in inside and f.module != found.forward.module
    ]
    losses = [c for c in model.trace.criteria.values() if c.node in inside]
    if others or losses or trains_through(model, line, found.forward):
        return None
    made = model.trace.descendants(found.forward.ids)
    network = found.forward.module
    stays = not may_be_differentiated(model, made) and not keeps_what_it_makes(model, network)
    asked = asks_for_graph(model)
    safe = found.cut and stays and not asked and rounds_alike(model, network)
    torch = torch_name(model, line)
    imports = () if torch else (AddImport("import torch"),)
    caution = "" if safe else _CAUTION if not (found.cut and stays) else ASKED if asked else _ROUNDING
    return Plan(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "run it under `torch.no_grad()`",
        (Wrap((line,), f"with {torch or 'torch'}.no_grad():"), *imports),
        caution,
    )
