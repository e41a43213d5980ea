"""Looking up names and attributes: in frames, objects, classes, tensors and libraries."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from memlint.analysis.interpret.containers import item
from memlint.analysis.interpret.contents import assigned_values, refine
from memlint.analysis.interpret.devices import device_of
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Class,
    ClassInfo,
    Const,
    External,
    Frame,
    Function,
    Items,
    Kind,
    Method,
    Obj,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    options_of,
)
from memlint.syntax.names import Names
from memlint.syntax.tree import children, dotted


def lookup(machine: Machine, name: str, node: cst.CSTNode) -> Value:
    """The value that a name has here: local, enclosing, global, imported or builtin."""
    if name in machine.names.modules and (module := machine.names.always(node)):
        return choice(imported(machine, path) for path in sorted(module))
    frame = machine.frame
    if frame.outer.get(name) == "global":
        while frame.lexical is not None:
            frame = frame.lexical
    scope: Frame | None = frame
    while scope is not None:
        value = machine.read((scope.id, name))
        if value is None and scope.cross_module and scope.lexical is None:
            value = machine.bound(scope, name)
        if value is not None:
            return refine(machine, value, name)
        scope = scope.lexical
    bound = machine.names.scope_of(node).owner(name) is not None
    starred = _starred(machine, name, node) if not bound else None
    if starred is not None:
        return starred
    paths = machine.names.qualified(node)
    if paths:
        found = choice(imported(machine, p) for p in sorted(paths))
        used = name in machine.imported_objects and machine.names is machine.home
        return _imported_object(machine, name, found) if used else found
    if name in lib.BUILTINS and machine.names.scope_of(node).owner(name) is None:
        return External(f"builtins.{name}")
    if not bound and _is_filled(machine, node):
        return _list_out_of_view(machine, name)
    found = Unknown(NO_IDS, machine.number("name", name, machine.frame.id))
    # What nothing binds and is called by the name of a class makes an object: it is a class from elsewhere.
    made = not bound and naming.class_name(name) and _is_called(machine, node)
    return found if made else refine(machine, found, name)


def _imported_object(machine: Machine, name: str, found: Value) -> Value:
    """A network, loader or optimizer that another file, which is not in view, made and this one imports."""
    kind = naming.role(name) or "module"
    if not isinstance(found, External):
        return found
    outer = machine.frame, machine.variants
    while machine.frame.lexical is not None:
        machine.frame = machine.frame.lexical
    machine.variants = ()
    made = machine.obj(kind, None, "guess", found.path, name=name, by_name=True)
    machine.frame, machine.variants = outer
    return Ref(made)


_OF_LISTS = frozenset({"append", "clear", "pop", "popleft"})


def _is_filled(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether something is appended to, `losses.append(loss)`, or emptied as lists are."""
    method = machine.names.parents.get(node)
    if type(method) is not cst.Attribute or method.value is not node or method.attr.value not in _OF_LISTS:
        return False
    return _is_called(machine, method) and type(machine.names.parents.get(method)) is cst.Call


def _list_out_of_view(machine: Machine, place: str) -> Ref:
    """A list that was there before: a snippet appends to it and leaves out the line that makes it."""
    outer = machine.frame, machine.variants
    while machine.frame.lexical is not None:
        machine.frame = machine.frame.lexical
    machine.variants = ()
    made = machine.obj("list", None, "out of view", place, name=place, by_name=True)
    machine.frame, machine.variants = outer
    return Ref(made)


def _is_never_set(machine: Machine, obj: Obj, name: str) -> bool:
    """Whether a class has no line that sets or defines an attribute, and no base that may do so."""
    info = obj.cls
    if info is None or info.fields.keys() & {name} or info.find(name) or not _has_bases_in_view(info):
        return False
    lines = (info.frame.names or machine.home).walk(info.node)
    targets = (n for n in lines if type(n) is cst.AssignTarget or type(n) is cst.AnnAssign)
    return not any(dotted(part.target).endswith(f".{name}") for part in targets)


def _has_bases_in_view(info: ClassInfo) -> bool:
    """Whether the bases of a class are classes of the file, or such as make no lists."""
    plain = ("builtins.", "torch.nn.", "abc.")
    return all(
        (isinstance(base, External) and base.path.startswith(plain))
        or (isinstance(base, Class) and _has_bases_in_view(base.info))
        for base in info.bases
    )


def imported(machine: Machine, path: str) -> Value:
    """What an import path stands for: a definition of the project, or a name of a library."""
    path = lib.ALIASES.get(path, path)
    return machine.imported(path) or External(path)


def _starred(machine: Machine, name: str, node: cst.CSTNode) -> Value | None:
    """The value that a name has from a `from ... import *` of a module of the project."""
    scope = machine.names.scope_of(node)
    while scope.parent is not None:
        scope = scope.parent
    for star in sorted(scope.stars):
        found = machine.imported(f"{star}{'' if star.endswith('.') else '.'}{name}")
        if found is not None:
            return found
    return None


_PAIR = ("values", "indices")
"""What `x.max(1)` and its like give."""


def attribute(machine: Machine, owner: Value, name: str, node: cst.CSTNode) -> Value:
    """The value of `owner.name`."""
    if isinstance(owner, External):
        return imported(machine, f"{owner.path}.{name}")
    if isinstance(owner, Ref):
        return _object_attribute(machine, owner, name, node)
    if isinstance(owner, Tensor):
        return _tensor_attribute(machine, owner, name, node)
    if isinstance(owner, Class):
        return _class_attribute(machine, owner, name, None, node)
    if isinstance(owner, Items) and name in _PAIR and len(owner.items) == len(_PAIR):
        return owner.items[_PAIR.index(name)]
    if isinstance(owner, Params) and name in ("grad", "data"):
        return Tensor(Kind.DETACHED)
    if isinstance(owner, Params) and name in lib.SCALAR_ATTRIBUTES:
        return SCALAR
    if isinstance(owner, (Scalar, Const)):
        plain = name in lib.STRING_METHODS or name in lib.DETACH_METHODS
        return Method(owner, name, machine.code(node)) if plain else SCALAR
    if isinstance(owner, Unknown) and (name in lib.SCALAR_ATTRIBUTES or _counts(machine, owner, name, node)):
        return SCALAR
    if isinstance(owner, Unknown) and name in ("data", "grad"):
        return Tensor(Kind.DETACHED)
    network = _network_of_unknown(machine, owner, name, node) if isinstance(owner, Unknown) else None
    if network is not None:
        return network
    if isinstance(owner, Unknown) and not _is_called(machine, node):
        return machine.unknown(node, owner.ids, lightweight=True, hint=owner.hint)
    return Method(owner, name, machine.code(node))


def _network_of_unknown(machine: Machine, owner: Unknown, name: str, node: cst.CSTNode) -> Ref | None:
    """The network that an object out of view has, where the file asks it for what only networks have:
    `trainer.model.eval()` beside `trainer.model(x)`."""
    if name not in machine.module_names or (dotted(node), 0) not in machine.module_places:
        return None
    number = machine.number("attribute", owner.origin or machine.frame.id, name)
    found = refine(machine, Unknown(NO_IDS, number), name)
    return found if isinstance(found, Ref) and found.obj.kind == "module" else None


def _counts(machine: Machine, owner: Unknown, name: str, node: cst.CSTNode) -> bool:
    """Whether an option of an object out of view is a number by its name: `config.accumulation_steps`."""
    return not owner.ids and bool(hints.COUNT.search(name)) and not _is_called(machine, node)


def named_attribute(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The value of `getattr(owner, "name")`: methods of objects whose class is known, names of libraries."""
    name = args[1].value if len(args) > 1 and isinstance(args[1], Const) else None
    if not isinstance(name, str):
        return machine.unknown(node)
    found = [
        attribute(machine, owner, name, node)
        for owner in options_of(args[0])
        if isinstance(owner, External)
        or (isinstance(owner, Ref) and owner.obj.cls and owner.obj.cls.find(name))
    ]
    return choice(found) if len(found) == len(options_of(args[0])) else machine.unknown(node)


def _is_called(machine: Machine, node: cst.CSTNode) -> bool:
    parent = machine.names.parents.get(node)
    return type(parent) is cst.Call and parent.func is node


def _tensor_attribute(machine: Machine, owner: Tensor, name: str, node: cst.CSTNode) -> Value:
    if name == "device":
        return device_of(owner)
    if name in lib.SCALAR_ATTRIBUTES:
        return SCALAR
    if name in ("data", "grad"):
        return Tensor(Kind.DETACHED)
    if name in ("T", "mT", "H", "real", "imag"):
        return machine.tensor(owner.kind, node, owner.ids, lightweight=True)
    if owner.opaque and not _is_called(machine, node):
        return item(machine, owner, Const(name), node)
    return Method(owner, name, machine.code(node))


def _object_attribute(machine: Machine, owner: Ref, name: str, node: cst.CSTNode) -> Value:
    obj = owner.obj
    if name == "forward" and obj.kind == "module":
        return owner
    if obj.kind in ("list", "dict") and name in lib.SCALAR_ATTRIBUTES:
        return SCALAR  # `batch.shape` where it is a tensor, on a path that a container does not take
    value = machine.attribute(obj, name)
    if value == NONE and obj.kind == "instance" and not _is_set_when_made(machine, obj, name):
        # What a constructor leaves at None, some method that was not run will set.
        later = refine(machine, Unknown(NO_IDS, machine.number("attribute", obj.id, name)), name)
        return choice((NONE, later))
    if value is not None:
        if obj.kind == "module" and isinstance(value, Tensor):
            leaves = (n for n in value.ids if not machine.trace.parents.get(n))
            machine.trace.attribute_owners.update((n, frozenset((obj.id,))) for n in leaves)
        return _short_part(machine, obj, value, name, node) or refine(machine, value, name)
    if obj.cls is not None:
        bound = obj.args["self"] if obj.kind == "super" else owner
        found = _class_attribute(machine, Class(obj.cls), name, bound, node)
        if not isinstance(found, Unknown):
            return found
    if obj.kind == "module" and name in ("module", "_modules"):
        return owner
    if obj.kind == "module" and name == "weight" and lib.ONE_WEIGHT.match(obj.path):
        return Params(frozenset((obj.id,)), single=True)
    if (part := _unmade_part(machine, owner, name, node)) is not None:
        return part
    if name in lib.METHODS or obj.kind in ("list", "dict", "optimizer", "scaler"):
        return Method(owner, name, machine.code(node))
    unknown = Unknown(NO_IDS, machine.number("attribute", obj.id, name))
    guess = _short_part(machine, obj, unknown, name, node) or refine(machine, unknown, name)
    library = isinstance(guess, Unknown) and lib.MODEL_PATHS.match(obj.path)
    if library and _is_used_like_a_network(machine, node):
        guess = Ref(machine.obj("module", node, "part", obj.id, name, name=name))
    if isinstance(guess, Ref):
        if obj.kind == guess.obj.kind == "module":
            guess.obj.args.setdefault("of", owner)
        if obj.kind == "module" and guess.obj.kind == "optimizer" and obj.cls is None:
            guess.obj.args.setdefault("#owners", Params(frozenset((obj.id,))))
        return guess
    if obj.kind == "namespace":
        return SCALAR
    if _is_filled(machine, node) and _is_never_set(machine, obj, name):
        return _list_out_of_view(machine, f"{obj.id}.{name}")
    if not _is_called(machine, node) and obj.kind in ("instance", "module", "namespace"):
        number = machine.number("attribute", obj.id, name)
        if obj.kind == "module":
            machine.trace.attribute_owners[number] = frozenset((obj.id,))
        return Unknown(NO_IDS, number)
    return Method(owner, name, machine.code(node))


def _is_set_when_made(machine: Machine, obj: Obj, name: str) -> bool:
    """Whether the constructor alone sets an attribute, to what its caller gives: None is then what this
    object has for good, as the optimizer that a loss goes without in evaluation."""
    found = obj.cls.find("__init__") if obj.cls is not None else None
    classes = obj.cls.lineage() if obj.cls is not None else []
    if found is None or any(c.frame.cross_module or not _has_bases_in_view(c) for c in classes):
        return False
    given = assigned_values(machine, machine.home, found[0]).get(f"self.{name}", [])
    inside = [v for c in classes for v in _set_in(machine, c.node, name, own=True)]
    outside = _set_in(machine, machine.home.module, name, own=False)
    return bool(given) and len(given) == len(inside + outside) and all(type(v) is cst.Name for v in given)


def _set_in(machine: Machine, scope: cst.CSTNode, name: str, *, own: bool) -> list[cst.BaseExpression]:
    """What lines of a scope give to an attribute: of `self`, or of anything else."""
    lines = assigned_values(machine, machine.home, scope)
    places = (place for place in lines if place.endswith(f".{name}") and (place == f"self.{name}") == own)
    return [value for place in places for value in lines[place]]


def _short_part(machine: Machine, obj: Obj, value: Value, name: str, node: cst.CSTNode) -> Ref | None:
    """A part of a network that is called, by its name: one of the project with a short name for an encoder or
    decoder, `self.enc(x)`, or one that is called after its kind, `learner.protonet(x)`."""
    if obj.kind != "module" or not isinstance(value, Unknown) or not _is_called(machine, node):
        return None
    if not (naming.kind_of_network(name) or (obj.cls is not None and naming.part_of_network(name))):
        return None
    return Ref(machine.obj("module", None, "guess", value.origin or name, name=name, by_name=True))


_OF_NETWORKS = frozenset(
    "to cuda cpu half eval train requires_grad_ children modules register_forward_hook".split()
)


def _is_used_like_a_network(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether a method is called on an expression that only networks have: `vgg16().features.cuda()`."""
    above = machine.names.parents.get(node)
    while type(above) is cst.Subscript and above.value is node:
        node, above = above, machine.names.parents.get(above)
    if type(above) is not cst.Attribute or not _is_called(machine, above):
        return False
    return above.attr.value in _OF_NETWORKS


def _unmade_part(machine: Machine, owner: Ref, name: str, node: cst.CSTNode) -> Value | None:
    """What the constructor of a module of another file, which is not run, assigns: a layer, a parameter or
    functions of that file."""
    info = owner.obj.cls
    found = info.find("__init__") if info is not None and owner.obj.kind == "module" else None
    if found is None or not found[1].cross_module:
        return None
    names = found[1].names or machine.home
    made = assigned_values(machine, names, found[0]).get(f"self.{name}", ())
    if made and all(type(value) is cst.Name for value in made):
        return _functions(machine, made, found[1])
    call = made[0] if len(made) == 1 else None
    path = names.one(call.func) if type(call) is cst.Call else ""
    if path in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")
    layer = path.startswith("torch.nn.") and path.rpartition(".")[2][:1].isupper()
    if not layer and not lib.MODEL_PATHS.match(path):
        made_there = _inner_network(machine, call, found[1], names) if type(call) is cst.Call else None
        _link_to_guess(machine, owner, name, made_there)
        return made_there
    args: dict[str, Value] = {"of": owner}
    kind = "loss" if path.endswith("Loss") else "module"
    return Ref(machine.obj(kind, call, "part", owner.obj.id, path=path, name=name, args=args))


def _functions(machine: Machine, given: Sequence[cst.BaseExpression], frame: Frame) -> Value | None:
    """The functions of another file that names in a constructor stand for; None unless all of them do."""
    names = frame.names or machine.home
    owners = [(name, names.scope_of(value).owner(name)) for value in given if (name := dotted(value))]
    # Of a file that was not read whole there is the class alone: other names are bound outside of it.
    found = [machine.bound(frame, name) for name, owner in owners if owner is None or owner.parent is None]
    functions = [value for value in found if isinstance(value, Function)]
    return choice(functions) if len(functions) == len(given) else None


def _inner_network(machine: Machine, call: cst.Call, frame: Frame, names: Names) -> Value | None:
    """The network of another class of the project that a constructor in this frame makes with a call.

    It is asked for only where the code of the other file itself runs.
    """
    if not machine.frame.cross_module:
        return None
    outer = machine.frame, machine.names
    machine.frame, machine.names = frame, names
    made = machine.evaluate(call.func)
    machine.frame, machine.names = outer
    if not isinstance(made, Class) or not any(path.endswith("nn.Module") for path in made.info.ancestry()):
        return None
    return machine.call(made, [], {}, call)


def _link_to_guess(machine: Machine, owner: Ref, name: str, part: Value | None) -> None:
    """Note what the part of a network is to the file that only knows its name: an optimizer made of
    `self.gan.generator.parameters()` there has the network that the other file runs as `self.generator`."""
    for option in options_of(part) if part is not None else ():
        if not isinstance(option, Ref) or option.obj.kind != "module" or "known as" in option.obj.args:
            continue
        for other in machine.trace.objects.values():
            if other.by_name and other.name == name and other.args.get("of") == owner:
                option.obj.args["known as"] = Ref(other)


def bound_to(method: cst.FunctionDef, instance: Value | None, owner: Class) -> Value | None:
    """What Python gives a method first: the object, its class for class methods, nothing for static ones."""
    decorators = {dotted(d.decorator) for d in method.decorators}
    if "staticmethod" in decorators:
        return None
    return owner if "classmethod" in decorators else instance


def _class_attribute(
    machine: Machine, owner: Class, name: str, bound: Value | None, node: cst.CSTNode
) -> Value:
    found = owner.info.find(name)
    if found is not None:
        definition, frame = found
        decorators = {dotted(d.decorator) for d in definition.decorators}
        plain = Function(definition, frame, bound_to(definition, bound, owner))
        function = machine.decorate(plain, definition)
        properties = {"property", "functools.cached_property", "cached_property"}
        if bound is not None and decorators & properties and isinstance(function, Function):
            return machine.invoke(function, [], {}, node)
        return function
    value = machine.read((machine.number("class", id(owner.info)), "." + name))
    if value is not None:
        return value
    for base in owner.info.bases:
        if isinstance(base, Class):
            inherited = _class_attribute(machine, base, name, bound, node)
            if not isinstance(inherited, Unknown):
                return inherited
    return Unknown(NO_IDS, machine.number("class attribute", id(owner.info), name))


def evaluate_parts(machine: Machine, node: cst.CSTNode) -> Value:
    """Evaluate what lies below for its effects; the result itself is of no interest."""
    for child in children(node):
        if isinstance(child, cst.BaseExpression):
            machine.evaluate(child)
        else:
            evaluate_parts(machine, child)
    return SCALAR
