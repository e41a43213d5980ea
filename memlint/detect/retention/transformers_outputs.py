"""Where a model of transformers runs, and whether its output is only read by the names of its members."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.facts import Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.values import Ref
from memlint.syntax.expressions import item_key, same
from memlint.syntax.tree import dotted

_READERS = frozenset(
    {"decoder_hidden_states", "encoder_hidden_states", "decoder_attentions", "encoder_attentions"}
)


def is_output_read(model: ScriptModel, what: str) -> bool:
    """Whether the file mentions a member of the outputs, as an attribute, a key or inside a text."""
    return what in model.text.replace(f"output_{what}", "") or bool(_READERS & model.identifiers)


def calls_in_network(model: ScriptModel, call: cst.Call) -> list[cst.CSTNode]:
    """Where a network with layers of its own, which other files train, runs the model that a call is about.

    That is the call itself, in `forward()`, or what it makes is kept on self and called there.
    """
    owner = model.class_of(call)
    if owner is None or not any(model.path_of(base.value) == "torch.nn.Module" for base in owner.bases):
        return []
    made = {
        dotted(node.targets[0].target): node.value
        for node in model.every(cst.Assign, owner)
        if isinstance(node.value, cst.Call) and dotted(node.targets[0].target).startswith("self.")
    }
    paths = {name: model.names.one(value.func) for name, value in made.items()}
    if not any(re.match(r"torch\.nn\.[A-Z]", path) for path in paths.values()):
        return []
    names = {name for name, value in made.items() if value is call} or {dotted(call.func)}
    if not all(paths.get(name, "").startswith("transformers.") for name in names):
        return []
    calls = [n for n in model.every(cst.Call, owner) if dotted(n.func) in names]
    functions = [model.function_of(n) for n in calls]
    return [*calls] if all(f is not None and f.name.value == "forward" for f in functions) else []


def trained_calls(model: ScriptModel, call: cst.Call) -> list[cst.CSTNode]:
    """The calls of trained forward passes that a call is, or that run the model that it makes."""
    return [forward.node for forward in _forwards_of(model, call)]


def _forwards_of(model: ScriptModel, call: cst.Call) -> list[Forward]:
    """The trained forward passes that a call is, or that run the model that it makes."""
    forwards = model.trace.forwards.values()
    made = [f for f in forwards if f.recorded and is_differentiated(model, f.ids)]
    direct = [f for f in made if f.node is call]
    makers = [call, *_given_config(model, call)]
    return direct or [
        f
        for f in made
        if isinstance(f.module, Ref)
        and f.module.obj.node in makers
        and f.module.obj.path.startswith("transformers.")
    ]


def _given_config(model: ScriptModel, call: cst.Call) -> list[cst.Call]:
    """The calls of transformers that get the configuration which `call` makes and gives a name."""
    above = model.parent(call)
    path = model.names.one(call.func)
    if not isinstance(above, cst.Assign) or not path.startswith("transformers.") or "Config" not in path:
        return []
    name = above.targets[0].target
    return [
        other
        for other in model.names.calls
        if model.names.one(other.func).startswith("transformers.")
        and any(same(arg.value, name) for arg in other.args)
    ]


def stays_here(model: ScriptModel, run: cst.CSTNode) -> bool:
    """Whether the result is only read by the names of its members, in the function that made it."""
    above = model.parent(run)
    if isinstance(above, cst.Attribute):
        return True
    if isinstance(above, cst.Subscript):
        return item_key(above) in (0, "loss")
    if not isinstance(above, cst.Assign) or not isinstance(above.targets[0].target, cst.Name):
        return False
    target = above.targets[0].target
    found = variable(model, target, target.value)
    if found is None or found.captured:
        return False
    line = model.statement_of(above)
    reads = found.reads_after(line) if line is not None else []
    return all(_names_a_member(model, node) for node in reads)


def _names_a_member(model: ScriptModel, node: cst.CSTNode) -> bool:
    above = model.parent(node)
    if isinstance(above, cst.Attribute):
        return above.attr.value not in ("to_tuple", "values", "items", "keys")
    if isinstance(above, cst.Subscript):
        return isinstance(item_key(above), str) or item_key(above) == 0
    return isinstance(above, cst.Del)
