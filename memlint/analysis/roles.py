"""Is this object a module, a loader, an optimizer? The role of an expression or object, with its evidence.

Three kinds of evidence, the strongest first:

* value: the run saw it made, by a constructor that `knowledge.libraries` knows or by a class of the file
* use: the file does with it what only such an object can do (`_USES`)
* name: it is called like one (`knowledge.naming`)

`why_forward` answers why a call was taken for a forward pass. To teach memlint a new library's loader or
optimizer, add its import path in `knowledge.libraries`; for a new spelling, `knowledge.naming`.
"""

from __future__ import annotations

from typing import Literal

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import definition_index
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.value_sources import expressions_behind, value_sources
from memlint.analysis.facts import Forward
from memlint.analysis.interpret.calls import class_kind
from memlint.analysis.knowledge import libraries, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.traits import Trait
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.analysis.values import Class, ClassInfo, External, Obj, Ref, Tensor, Value, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import called_on, calls_in
from memlint.syntax.tree import dotted, last_name, root_name

KINDS = frozenset({"module", "loader", "optimizer", "loss", "scaler", "engine", "dataset"})

_USES = {
    "param_groups": "optimizer",
    "parameters": "module",
    "named_parameters": "module",
    "register_forward_hook": "module",
    "batch_sampler": "loader",
    "unscale_": "scaler",
}
"""Attributes that objects of one role have and no others."""


_MAKES_TENSORS = frozenset(f"torch.{name}" for name in libraries.FACTORIES - {"Generator"} | {"load"})


@dataclass(frozen=True, slots=True)
class Role:
    """What an object is for in the script: its `kind` (one of `KINDS`), and why that is believed.

    `reason` says it in words for a developer: what made the object, or which use or name told.
    """

    kind: str
    evidence: Literal["value", "use", "name"]
    reason: str


def role_of(model: ScriptModel, node: cst.BaseExpression) -> Role | None:
    """The role of what an expression stands for, or that it is a part of; None where nothing tells."""
    made = object_of(model, node)
    if made is not None:
        return role_of_object(model, made)
    name = dotted(node)
    used = _used_as(model).get(name) if name else None
    if used is not None:
        return Role(used[0], "use", f"the file reads `{name}.{used[1]}`")
    last = last_name(node) or root_name(node)
    if last in model.machine.module_names and naming.role(last) in ("", "loss"):
        return Role("module", "use", f"the file calls what only modules have on `{last}`")
    kind = naming.role(last) if last else ""
    return Role(kind, "name", f"it is named `{last}`") if kind else None


def object_of(model: ScriptModel, node: cst.BaseExpression) -> Obj | None:
    """The object with a role that an expression stands for, where the run saw it made, moved or not."""
    origins = [origin.node for origin in value_sources(model, node) if origin.kind == "value"]
    moved = (called_on(n, libraries.DEVICE_MOVES) for n in origins if isinstance(n, cst.Call))
    return next((_made(model)[n] for n in (*origins, *moved) if n in _made(model)), None)


def kind_of(model: ScriptModel, node: cst.BaseExpression) -> str:
    """The kind of the role of an expression, one of `KINDS`; "" where nothing tells."""
    role = role_of(model, node)
    return role.kind if role is not None else ""


def role_of_object(model: ScriptModel, obj: Obj) -> Role | None:
    """The role of an object of the run; None for lists, dicts and instances of other classes."""
    if obj.kind not in KINDS:
        return None
    if not obj.by_name:
        made = obj.path or (obj.cls.node.name.value if obj.cls is not None else "")
        return Role(obj.kind, "value", f"`{made}` makes it" if made else "the run saw it made")
    last = obj.name.rpartition(".")[2]
    if last in model.machine.module_names and naming.role(last) in ("", "loss"):
        return Role(obj.kind, "use", f"the file calls what only modules have on `{last}`")
    return Role(obj.kind, "name", f"it is named `{obj.name}`")


def why_forward(model: ScriptModel, forward: Forward) -> list[Role]:
    """Why a call was taken for a forward pass: the roles of the modules that it may run."""
    objects = (option.obj for option in options_of(forward.module) if isinstance(option, Ref))
    return [role for obj in objects if (role := role_of_object(model, obj)) is not None]


def is_only_named(model: ScriptModel, forward: Forward) -> bool:
    """Whether nothing but its name says that what is called is a network: nothing made it in view, the file
    asks nothing of it that only networks have, no argument is known to be a tensor, and nothing is done with
    the result as with one."""
    roles = why_forward(model, forward)
    if not roles or any(role.evidence != "name" for role in roles) or not isinstance(forward.node, cst.Call):
        return False
    if _used_as(model).get(dotted(forward.node.func), ("",))[0] == "module":
        return False
    given = model.trace.argument_values
    values = (value for arg in forward.node.args for value in given.get(arg.value, ()))
    tensors = (option for value in values for option in options_of(value) if isinstance(option, Tensor))
    # What another such call gave proves no more than its name does.
    known = any(model.forward_ids.isdisjoint(model.trace.ancestors(tensor.ids)) for tensor in tensors)
    return not known and not any(_treats_as_tensor(model, use) for use in uses_of(model, forward.node))


def _treats_as_tensor(model: ScriptModel, use: Use) -> bool:
    """Whether code uses a value as a tensor, or as what a network gives in several parts."""
    if use.how in ("method", "attribute"):
        return use.name in _OF_RESULTS
    if use.how != "argument" or not isinstance(use.node, cst.Call):
        return False
    return model.path_of(use.node.func).startswith("torch.") or kind_of(model, use.node.func) == "loss"


_OF_RESULTS = (
    libraries.SCALAR_METHODS
    | libraries.DETACH_METHODS
    | libraries.INDEX_METHODS
    | frozenset("cpu cuda to data loss logits shape softmax sigmoid squeeze unsqueeze view max".split())
)
"""What code asks of the results of networks."""


def comes_by_method(forward: Forward) -> bool:
    """Whether a method of a network out of view was taken for a forward pass: `model.get_embeds(graph)`.

    It may run under no_grad, and may detach what it gives.
    """
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if not modules or not all(m.by_name for m in modules) or not isinstance(func, cst.Attribute):
        return False
    name = func.attr.value
    itself = name == "forward" or any(m.name.rpartition(".")[2] == name for m in modules)
    return not itself and naming.role(name) != "module"


def works_on_itself(forward: Forward) -> bool:
    """Whether a model is run on what it was given before, `model.set_input(batch)`, and keeps what comes out:
    `model.forward()`."""
    node = forward.node
    return isinstance(node, cst.Call) and not node.args and last_name(node.func) == "forward"


def may_give_arrays(model: ScriptModel, forward: Forward) -> bool:
    """Whether a method was taken for a forward pass of what only its name makes a network: the file does not
    treat it as one. It may as well be an encoder that gives arrays, as `encoder.embed_utterance(wave)`."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    used = model.machine.module_names
    return comes_by_method(forward) and not any(m.name.rpartition(".")[2] in used for m in modules)


def role_of_class(model: ScriptModel, owner: cst.ClassDef) -> str:
    """The role of the objects of a class: one of `KINDS`, or "instance" for everything else."""
    known = model.machine.classes.get(id(owner))
    return class_kind(known.info) if known is not None else "instance"


def is_plain_object(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether an expression only stands for objects of classes in view, all of whose bases are, and which are
    neither networks nor tensors: by what makes them, or by the annotation of a parameter."""
    ends = expressions_behind(model, node)
    return bool(ends) and all(_is_made_plain(model, end) for end in ends)


def _is_made_plain(model: ScriptModel, node: cst.CSTNode) -> bool:
    named: cst.CSTNode | None = node.func if isinstance(node, cst.Call) else None
    if isinstance(node, cst.Name):
        params = [s.node for s in value_sources(model, node) if isinstance(s.node, cst.Param)]
        annotation = params[0].annotation if len(params) == 1 else None
        named = annotation.annotation if annotation is not None else None
    made = _instances(model).get(node)
    if made is not None and made.cls is not None:
        return _has_plain_bases(made.cls)  # a class of another file, too
    found = definitions_meant(model, named) if named is not None else ()
    return bool(found) and all(isinstance(f, cst.ClassDef) and _is_plain_class(model, f) for f in found)


def _is_plain_class(model: ScriptModel, owner: cst.ClassDef) -> bool:
    known = model.machine.classes.get(id(owner))
    return known is not None and class_kind(known.info) == "instance" and _has_plain_bases(known.info)


def _has_plain_bases(info: ClassInfo) -> bool:
    """Whether all bases of a class are in view, or say nothing of what an object is for."""
    return all(
        _has_plain_bases(base.info)
        if isinstance(base, Class)
        else isinstance(base, External) and base.path.rpartition(".")[2] in libraries.BARE_BASES
        for base in info.bases
    )


def tensor_attributes(model: ScriptModel, owner: cst.ClassDef) -> set[str]:
    """The attributes in which objects of a class have tensors or networks, by the run or by assignments."""
    made = [o for o in model.trace.objects.values() if o.cls is not None and o.cls.node is owner]
    held = (n for o in made for n, v in model.machine.entries(o) if n[0] == "." and _is_memory(model, v))
    given = definition_index(model).attributes
    assigned = (
        name
        for (klass, name), found in given.items()
        if klass == id(owner) and any(_makes_memory(model, d.node) for d in found)
    )
    return {*(name[1:] for name in held), *assigned}


def _is_memory(model: ScriptModel, value: Value) -> bool:
    for option in options_of(value):
        if isinstance(option, Tensor) and Trait.SCALAR not in option.traits:
            return True
        if isinstance(option, Ref) and option.obj.kind == "module":
            used = option.obj.name.rpartition(".")[2] in model.machine.module_names
            if used or not option.obj.by_name:
                return True
    return False


def _makes_memory(model: ScriptModel, value: cst.CSTNode) -> bool:
    """Whether an expression makes a tensor or a network: `torch.randn(n).to(device)`, `nn.Linear(8, 8)`."""
    if isinstance(value, cst.Call) and last_name(value.func) in libraries.SCALAR_METHODS:
        return False
    for call in calls_in(value):
        path = model.path_of(call.func)
        if libraries.MODEL_PATHS.match(path):
            return True
        parent, _, name = path.rpartition(".")
        if (parent == "torch.nn" and name[:1].isupper()) or path in _MAKES_TENSORS:
            return True
    return False


@cached
def _made(model: ScriptModel) -> dict[cst.CSTNode, Obj]:
    """The objects with a role that the run saw made, by the call that made them."""
    objects = model.machine.trace.objects.values()
    return {o.node: o for o in objects if o.node is not None and o.kind in KINDS and not o.by_name}


@cached
def _instances(model: ScriptModel) -> dict[cst.CSTNode, Obj]:
    """The objects of other classes that the run saw made, by the call that made them."""
    objects = model.machine.trace.objects.values()
    return {o.node: o for o in objects if o.node is not None and o.kind == "instance" and not o.by_name}


@cached
def _used_as(model: ScriptModel) -> dict[str, tuple[str, str]]:
    """(role, attribute) of every dotted name on which the file reads an attribute of `_USES`."""
    found: dict[str, tuple[str, str]] = {}
    for node in model.names.every(cst.Attribute):
        kind, owner = _USES.get(node.attr.value), dotted(node.value)
        if kind is not None and owner:
            found.setdefault(owner, (kind, node.attr.value))
    return found
