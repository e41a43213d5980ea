"""Whether the grad mode of a forward pass is up to callers that are not in view."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.facts import Forward, Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.modes.handed_up import is_returned
from memlint.analysis.uses.host_moves import moves_to_host, reaches_host
from memlint.analysis.uses.shown_values import only_looked_at
from memlint.analysis.values import Frame, Ref, options_of
from memlint.syntax.tree import dotted, root_name


def yields_to_callers(model: ScriptModel, forward: Forward) -> bool:
    """Whether a generator runs a network that it is given: in the grad mode of whoever goes through it."""
    entry = next((f for f in forward.frame.chain() if f.entry), None)
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if entry is None or not any(m.by_name for m in modules):
        return False
    return any(model.function_of(y) is entry.node for y in model.every(cst.Yield, entry.node))


def is_of_a_library(model: ScriptModel, forward: Forward) -> bool:
    """Whether a function that nothing here calls runs a network which others gave it, in a file without
    training: they say whether a graph is built."""
    functions = (f for f in forward.frame.chain() if isinstance(f.node, cst.FunctionDef))
    entry = next((f for f in functions if f.entry), None)
    if entry is None or model.trace.backwards:
        return False
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    return entry.self_value is not None or any(m.by_name for m in modules)


def is_gathered_on_host(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether an object puts a network that it makes into evaluation mode, and a loop gathers what that gives
    on the host, batch after batch: no caller trains through what took that way."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if not forward.own_eval or not modules or any(m.by_name for m in modules) or model.trace.backwards:
        return False
    made = model.trace.descendants(forward.ids)
    stores = (s for s in model.trace.stores.values() if s.how == "store" and loop in s.loops and made & s.ids)
    return any(moves_to_host(s.value_node) or reaches_host(model, forward.node) for s in stores)


def is_up_to_callers(model: ScriptModel, forward: Forward) -> bool:
    """Whether a method of a network that nothing here calls runs the network itself, or a part of it, and
    gives more than text or numbers, where a framework made the base class, which calls such methods, or
    other files of the project use what this one defines."""
    entry = next((f for f in forward.frame.chain() if f.entry), None)
    own = isinstance(forward.node, cst.Call) and root_name(forward.node.func) == "self"
    if entry is None or not own or not (_is_of_network(entry) and _is_of_network(forward.frame)):
        return False
    info = entry.self_value.obj.cls if isinstance(entry.self_value, Ref) else None
    plain = info is not None and all(path.startswith(_PLAIN_BASES) for path in info.ancestry())
    if plain and not model.is_imported:
        return False
    return not only_looked_at(model, forward)


_PLAIN_BASES = ("torch.nn.", "abc.", "builtins.", "typing.")
"""Where the base classes of networks come from that no framework calls."""


def _is_of_network(frame: Frame) -> bool:
    return isinstance(frame.self_value, Ref) and frame.self_value.obj.kind == "module"


def is_run_by_forward(model: ScriptModel, frame: Frame) -> bool:
    """Whether a method of a network is one that its `forward` calls, by the text of its class and bases."""
    info = frame.self_value.obj.cls if isinstance(frame.self_value, Ref) else None
    if info is None or not _is_of_network(frame):
        return False
    waiting, seen = ["forward"], set[str]()
    while waiting and len(seen) < _MOST_METHODS:
        name = waiting.pop()
        found = info.find(name) if name not in seen else None
        seen.add(name)
        if found is None:
            continue
        if found[0] is frame.node:
            return True
        calls = (n.func for n in model.walk(found[0]) if isinstance(n, cst.Call))
        own = (f for f in calls if isinstance(f, cst.Attribute) and dotted(f.value) == "self")
        waiting += [f.attr.value for f in own]
    return False


_MOST_METHODS = 20
"""How many methods of a network are read to see what its forward pass runs."""


def is_handed_on(model: ScriptModel, frame: Frame) -> bool:
    """Whether a function runs as the callback of code out of view, for what it leaves behind, such as ranges
    of activations: `simulation.compute_encodings(pass_data)`."""
    call, node = frame.call, frame.node
    if not isinstance(node, cst.FunctionDef) or not isinstance(call, cst.Call):
        return False
    given = any(isinstance(arg.value, cst.Name) and arg.value.value == node.name.value for arg in call.args)
    return given and not definitions_meant(model, call.func)


def gives_tensors(model: ScriptModel, forward: Forward) -> bool:
    """Whether the `forward` of a module that nothing here runs returns what the call gives: in which grad
    mode that happens is up to its callers."""
    frame = forward.frame
    if not frame.entry or frame.name != "forward" or not isinstance(frame.self_value, Ref):
        return False
    return frame.self_value.obj.kind == "module" and is_returned(model, forward.node)
