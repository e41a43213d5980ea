"""Methods of modules, and methods found by their name alone."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.containers import graded, new_container
from memlint.analysis.interpret.contents import argument_ids, tensors_in
from memlint.analysis.interpret.forward_hooks import add_hook
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parameters import freeze
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import note_lowering
from memlint.analysis.interpret.unseen import note_opaque
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    Function,
    Items,
    Kind,
    Method,
    Obj,
    Params,
    Ref,
    Tensor,
    Value,
    ids_of,
    options_of,
    truth,
)


def module_method(
    machine: Machine, owner: Ref, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    """The result of a method of a module or loss; None when nothing is known of such a method."""
    obj, name = owner.obj, func.name
    if name in ("eval", "train"):
        return _set_mode(machine, owner, name, args)
    if name == "requires_grad_":
        freeze(machine, frozenset((obj.id,)), truth(args[0] if args else Const(True)) is False)
        return owner
    if name in lib.DEVICE_MOVES:
        note_lowering(machine, obj, name, args, keywords, node)
        return owner
    if name in ("parameters", "buffers", "named_parameters", "named_buffers"):
        return _tensors_of(machine, obj, name, node)
    if name in ("values", "unwrap", "merge_and_unload", "fuse"):
        return owner
    if name in ("modules", "children", "named_modules", "named_children", "items", "get_submodule"):
        return _parts_of(machine, owner, name, node)
    if name == "forward":
        return machine.call(owner, args, keywords, node)
    if name == "batch_decode":
        return SCALAR  # a processor that was kept beside models gives text
    if name == "register_forward_hook":
        add_hook(machine, obj, args or list(keywords.values()))
        return SCALAR
    if name in ("register_buffer", "register_parameter"):
        _register(machine, obj, args, keywords)
        return NONE
    if name in ("state_dict", "load_state_dict", "size", "dim"):
        return Tensor(Kind.DETACHED, NO_IDS, opaque=True) if name == "state_dict" else SCALAR
    member = obj.path.endswith(lib.MODULE_CONTAINERS)
    if member and name in lib.ADDING_TO_MODULES:
        for value in args:
            machine.put(obj, value)
        return NONE
    linked = by_name(machine, func) if obj.by_name or member else None
    if linked is not None:
        return machine.call(linked, args, keywords, node)
    if name == "step" and obj.by_name:
        return NONE
    encodes_text = name == "encode" and (
        _encodes_text(machine, args, keywords, node) or (obj.by_name and _in_text_tool(machine))
    )
    if encodes_text or lib.UNSEEN_INFERENCE.match(name):
        found = machine.unknown(node)
        machine.inferred |= found.ids
        return found
    if args and ids_of(args[0]) & machine.inferred and "loss" in name:
        # The loss of a prediction, which was made without a graph as like as not, runs no network.
        return machine.unknown(node)
    if name.startswith("freeze") or ("grad" in name and naming.may_zero(name)):
        note_opaque(machine, name, [owner], {}, node)
    if obj.by_name and lib.OWN_GRAD_METHODS.search(name) and _sees_to_itself(obj, name):
        return None
    if obj.by_name and "decode" in name.split("_") and _takes_own_results(machine, obj, args):
        # Scores of a parser or tagger become labels: the network has run.
        return machine.unknown(node, argument_ids(machine, args, keywords))
    if obj.by_name and _hands_out(machine, name):
        return machine.unknown(node)
    discarded = isinstance(machine.names.parents.get(node), cst.Expr)
    # What is called for its effect, such as `model.extend_embeddings(...)`, runs no network that matters.
    if lib.GRAPH_METHODS.search(name) and not lib.PART_METHODS.match(name) and not discarded:
        if any(f.name == "forward" and f.self_value == owner for f in machine.frame.chain()):
            # A method of a base class out of view, which the forward pass itself calls.
            ids = argument_ids(machine, args, keywords)
            return machine.tensor(graded(machine, Kind.GRAPH), node, ids, name, opaque=True)
        return machine.call(owner, args, keywords, node)
    return None


def _register(machine: Machine, obj: Obj, args: Args, keywords: Keywords) -> None:
    """`register_buffer("queue", tensor)`, which makes the tensor an attribute."""
    named, value = [*args, *keywords.values()][:2] if len(args) + len(keywords) > 1 else (None, None)
    if isinstance(named, Const) and value is not None:
        machine.write((obj.id, f".{named.value}"), value)


def _hands_out(machine: Machine, name: str) -> bool:
    """Whether a getter gives what the file puts in by the setter of the same name: `model.get_table(kind)`
    beside `model.set_table(kind, new)` computes nothing."""
    setter = f"set_{name.removeprefix('get_')}"
    calls = machine.home.calls if name.startswith("get_") else ()
    return any(isinstance(c.func, cst.Attribute) and c.func.attr.value == setter for c in calls)


def _in_text_tool(machine: Machine) -> bool:
    """Whether the running method is one of a tokenizer, whose `self.model` has no weights."""
    value = machine.frame.self_value
    own = [o.obj for o in options_of(value) if isinstance(o, Ref)] if value is not None else []
    return any(obj.cls is not None and hints.TEXT_TOOL.search(obj.cls.node.name.value) for obj in own)


def _encodes_text(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> bool:
    """Whether `encode` is given options of tokenizers and sentence encoders, a text as a literal, or a list
    that is written out and holds no tensor: `encode([question])`."""
    if lib.ENCODING_OPTIONS & keywords.keys():
        return True
    if not args or (isinstance(args[0], Const) and isinstance(args[0].value, str)):
        return bool(args)
    given = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    held = tensors_in(machine, args[0]) if isinstance(given, cst.List) else None
    return held is not None and not any(isinstance(value, Tensor) for value in held)


def _takes_own_results(machine: Machine, obj: Obj, args: Args) -> bool:
    """Whether a method is given what a call of the whole network gave, or its loss: `net.decode(scores)`
    after `scores = net(words)`, but not `net.decode(z)` after `z = net.encode(x)`."""
    given = frozenset().union(*(ids_of(value) for value in args))
    # The parts of a result have it as their parent.
    given |= frozenset().union(*(machine.trace.parents.get(number, NO_IDS) for number in given))
    return any(
        forward.ids & given
        and forward.module == Ref(obj)
        and ((last := forward.code.split(".")[-1]) in obj.name or naming.loss_call(last))
        for forward in machine.trace.forwards.values()
    )


def _sees_to_itself(obj: Obj, name: str) -> bool:
    """Whether a method of an object that is only named like a network runs none, or decides in which grad
    mode: `attack.loss_gradient(x)`, `decoder.decode(probabilities)`, `policy._forward_eval(obs)`."""
    owner = obj.name.rpartition(".")[2]
    if name.startswith("_"):
        return naming.acts(owner)
    return name != "decode" or owner.endswith("decoder")


_MEMBER = "#member"
"""Marks what stands for all modules of a network."""


def _set_mode(machine: Machine, owner: Ref, name: str, args: Args) -> Value:
    assert machine.state is not None
    evaluating = name == "eval" or (bool(args) and truth(args[0]) is False)
    if not evaluating and _MEMBER in owner.obj.args:
        # Dropout that goes on in evaluation: `for m in net.modules(): if is_dropout(m): m.train()`.
        return owner
    # Whatever else is put back into training mode ends the evaluation.
    machine.state.evals = machine.state.evals | {owner.obj.id} if evaluating else NO_IDS
    # A teacher stays in its mode while the student changes it.
    machine.write((owner.obj.id, "#eval"), Const(evaluating))
    return owner


def _tensors_of(machine: Machine, obj: Obj, name: str, node: cst.CSTNode) -> Value:
    """What `parameters()`, `buffers()` and their named forms run through."""
    named = name.startswith("named_")
    members: Value = Tensor(Kind.DETACHED)
    if name.endswith("parameters"):
        members = Params(frozenset((obj.id,)), single=named)
    if not named:
        return members
    made = new_container(machine, "list", node, obj.id)
    machine.put(made.obj, Items((SCALAR, members)))
    return made


def _parts_of(machine: Machine, owner: Ref, name: str, node: cst.CSTNode) -> Value:
    """The submodules of a module: one that stands for all of them."""
    part = Ref(machine.obj("module", node, "part", owner.obj.id, args={"of": owner}))
    if name == "get_submodule":
        return part
    part.obj.args[_MEMBER] = NONE
    made = new_container(machine, "list", node, owner.obj.id)
    machine.put(made.obj, part if name in ("modules", "children") else Items((SCALAR, part)))
    return made


_ACTORS = frozenset(
    "agent trainer learner algo algorithm solver runner engine system experiment controller worker".split()
)


def by_name(machine: Machine, func: Method) -> Value | None:
    """The method of the only class of the file that has one of this name: `agent.update(batch)`."""
    owner_words = func.code.rpartition(".")[0].lower().replace("_", ".").split(".")
    if func.name in lib.METHODS and not _ACTORS & set(owner_words):
        return None
    classes = [c for c in machine.classes.values() if func.name in c.info.methods]
    if len(classes) != 1 or func.name.startswith("__"):
        return None
    me = machine.symbolic_instance(classes[0])
    owners = (f.self_value.obj.cls for f in machine.frame.chain() if isinstance(f.self_value, Ref))
    if any(owner is classes[0].info for owner in owners):
        # What a class holds in a container is of another class than its own.
        return None
    found = classes[0].info.find(func.name)
    return machine.decorate(Function(found[0], found[1], me), found[0]) if found is not None else None
