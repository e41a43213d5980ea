"""Abstract calls: which code a called value stands for."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.autocasts import apply_cast, autocast
from memlint.analysis.interpret.builtin_calls import SPECIAL, make_record
from memlint.analysis.interpret.by_hand import PRODUCTS, note_product
from memlint.analysis.interpret.containers import unrun_constructor
from memlint.analysis.interpret.contents import argument_ids, argument_kind
from memlint.analysis.interpret.forwards import forward_call, loss_call, note_criterion
from memlint.analysis.interpret.grad_modes import apply_context, grad_context
from memlint.analysis.interpret.grad_uses import note_grad_use
from memlint.analysis.interpret.library_calls import (
    constructed,
    handed_optimizer,
    passed_through,
    tensor_read,
    torch_function,
)
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.methods import call_method
from memlint.analysis.interpret.optimizer_calls import configured_optimizers
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import note_default_dtype
from memlint.analysis.interpret.tensor_methods import read_as_numbers, read_members_as_numbers
from memlint.analysis.interpret.type_tests import asked_if_tensor, is_called_as_keras, is_of_another_library
from memlint.analysis.interpret.unseen import note_opaque, unread_call, unseen_call, without_graphs
from memlint.analysis.interpret.weights import freezes_itself
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge import naming
from memlint.analysis.values import (
    NONE,
    Cast,
    Class,
    ClassInfo,
    Const,
    Context,
    External,
    Function,
    Method,
    Obj,
    Ref,
    Scalar,
    Unknown,
    Value,
    ids_of,
)
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, last_name, walk


def call(machine: Machine, func: Value, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The abstract result of calling `func`; what the call does is written into the machine."""
    if isinstance(func, Function):
        return machine.invoke(func, args, keywords, node)
    if isinstance(func, Class):
        return instantiate(machine, func.info, args, keywords, node)
    if isinstance(func, External):
        return _external(machine, func.path, args, keywords, node)
    if isinstance(func, Method):
        return _method(machine, func, args, keywords, node)
    if isinstance(func, Ref):
        return _call_object(machine, func, args, keywords, node)
    if isinstance(func, Context):
        return apply_context(func, args)
    if isinstance(func, Cast):
        return apply_cast(func, args, keywords)
    if isinstance(func, Unknown) and (made := handed_optimizer(machine, args, keywords, node)) is not None:
        return made
    made = unseen_call(machine, _called_name(node), args, keywords, node)
    if isinstance(func, Unknown):
        machine.trace.given_callables.update(dict.fromkeys(ids_of(made), machine.loops))
    return made


def _called_name(node: cst.CSTNode) -> str:
    func = node.func if isinstance(node, cst.Call) else node
    if isinstance(func, cst.Attribute):
        return func.attr.value
    return func.value if isinstance(func, cst.Name) else ""


def instantiate(
    machine: Machine, info: ClassInfo, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """Make an object of a class of the file and run its constructor."""
    obj = machine.obj(class_kind(info), node, id(info), cls=info)
    machine.write((obj.id, "#born"), NONE)
    if obj.kind == "module":
        note_default_dtype(machine, obj)
    ref = Ref(obj)
    found = info.find("__init__")
    if found is not None and obj.kind == "module" and found[1].cross_module:
        # What layers a model of another file has is not worth the way there.
        unrun_constructor(machine, Function(found[0], found[1], ref), [], {})
        if freezes_itself(found[0], node):
            machine.write((obj.id, "#frozen"), Const(True))
        return ref
    if found is not None:
        machine.invoke(Function(found[0], found[1], ref), args, keywords, node)
    else:
        if isinstance(node, cst.Call):
            obj.args.update(keywords)
        given = dict([*zip(info.fields, args, strict=False), *keywords.items()])
        for name, default in info.fields.items():
            if name not in given and default is not None:
                given[name] = machine.evaluate(default)
        for name, value in given.items():
            machine.write((obj.id, "." + name), value)
        if not info.fields:
            for position, value in enumerate(args):
                machine.write((obj.id, f"[{position}]"), value)
    if obj.kind in ("loader", "dataset"):
        obj.args.setdefault("#class", Class(info))
    return ref


def class_kind(info: ClassInfo) -> str:
    """The kind of heap object that a class of the file makes."""
    paths = info.ancestry()
    for path in paths:
        tail = path.rpartition(".")[2]
        network = tail.endswith("Module") and not tail.endswith("DataModule")
        if path in ("torch.nn.Module", "torch.nn.modules.module.Module") or network:
            return "instance" if lib.OTHER_ENGINES.match(path) else "module"
        if path.startswith("torch.nn.") and tail[:1].isupper():
            return "loss" if tail.endswith("Loss") else "module"
        if tail == "Optimizer" or (lib.OPTIMIZER_PATHS.match(path)):
            return "optimizer"
        if tail.endswith(("Dataset", "IterDataPipe", "MapDataPipe")):
            return "dataset"
        if tail == "DataLoader" or lib.LOADER_PATHS.match(path):
            return "loader"
        if tail == "Function" and "autograd" in path:
            return "autograd"
        if tail in ("PreTrainedModel", "ModelMixin", "Model", "BaseModel") or lib.MODEL_PATHS.match(path):
            return "module"
        if tail in ("list", "dict", "OrderedDict", "defaultdict", "UserDict"):
            return "instance"
    pairs = list(zip(info.node.bases, info.bases, strict=False))
    unbound = (last_name(base.value) for base, value in pairs if isinstance(value, Unknown))
    if any(map(naming.network_class, unbound)):
        return "module"
    # A base class of another file that is not in view: what has a forward pass is a network or a loss.
    unseen = any(not lib.NO_NETWORK_BASES.match(path) for path in paths)
    if not unseen or "forward" not in info.methods or "__call__" in info.methods or _trains(info):
        return "instance"
    return "loss" if info.node.name.value.endswith("Loss") else "module"


def _trains(info: ClassInfo) -> bool:
    """Whether the code of a class clears gradients or runs backward: a trainer, whose `forward` is a step."""
    return any(type(n) is cst.Name and n.value in ("backward", "zero_grad") for n in walk(info.node))


def _call_object(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    obj = func.obj
    if obj.kind == "loss":
        return loss_call(machine, func, args, keywords, node)
    called = obj.cls.find("__call__") if obj.cls is not None else None
    if called is not None and obj.kind == "module" and not _has_forward(obj):
        return machine.call(machine.decorate(Function(*called, func), called[0]), args, keywords, node)
    if obj.kind in ("module", "engine"):
        if "return_tensors" in keywords:
            # An argument of tokenizers and processors, whatever they are kept beside.
            return unseen_call(machine, _called_name(node), args, keywords, node)
        function = machine.frame.node
        scope = machine.names.module if function is None else function
        wraps = obj.by_name and function is not None and asked_if_tensor(machine.names, scope, node)
        if obj.by_name and (_makes_a_learner(machine, node) or _makes_a_module(machine, node)):
            return machine.unknown(node)
        other = obj.by_name and (
            _gets_array(args)
            or _does_something(machine, args, keywords, node)
            or is_called_as_keras(machine.names, scope, node)
            or is_of_another_library(machine.names, node)
        )
        if wraps or other:
            return unseen_call(machine, _called_name(node), args, keywords, node)
        return forward_call(machine, func, args, keywords, node)
    if called is not None:
        return machine.call(machine.decorate(Function(*called, func), called[0]), args, keywords, node)
    if obj.kind == "optimizer" and (own := configured_optimizers(machine, node)) is not None:
        return own
    if obj.kind == "optimizer" and (made := handed_optimizer(machine, args, keywords, node)) is not None:
        obj.kind = "instance"  # a class, for all that its name says
        return made
    if obj.kind in ("optimizer", "scaler", "loader"):
        return machine.unknown(node, argument_ids(machine, args, keywords))
    return unseen_call(machine, _called_name(node), args, keywords, node)


def _has_forward(obj: Obj) -> bool:
    return obj.cls is not None and obj.cls.find("forward") is not None


def _makes_a_learner(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether what a call gives is told to learn, `model(**options).fit(x, y)`, or has a name on which the
    file calls what only modules have, `self.net = net(size).to(device)`: it calls a class."""
    above = machine.names.parents.get(node)
    while isinstance(above, cst.Attribute) and above.attr.value in lib.DEVICE_MOVES:
        above = machine.names.parents.get(machine.names.parents[above])
    if isinstance(above, cst.Attribute):
        return above.attr.value in lib.LEARNER_METHODS
    targets = above.targets if isinstance(above, cst.Assign) else ()
    return any(scoped_place(machine.names, t.target) in machine.module_places for t in targets)


def scoped_place(names: Names, node: cst.BaseExpression) -> tuple[str, int]:
    """The dotted text of a name or an attribute, the name with the identity of the scope that binds it."""
    owner = names.scope_of(node).owner(node.value) if isinstance(node, cst.Name) else None
    return dotted(node), id(owner) if owner is not None else 0


def _gets_array(args: Args) -> bool:
    """Whether what is only named like a network gets a NumPy array: layers of torch refuse that, and what
    takes it, a compiled model or one in another runtime, sees to gradients itself."""
    return bool(args) and args[0] == Scalar("numpy")


def _makes_a_module(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether the function does with what a call gives what only modules allow: `net = model(width)` before
    `net.train()`, where `model` is one of several functions or classes."""
    target = machine.names.parents.get(node)
    made = target.targets[0].target if isinstance(target, cst.Assign) and len(target.targets) == 1 else None
    if (
        not isinstance(made, cst.Name)
        or made.value not in machine.module_names
        or not isinstance(node, cst.Call)
    ):
        return False
    if last_name(node.func) == made.value or machine.frame.node is None:
        return False
    calls = machine.names.every(cst.Call, machine.frame.node)
    asked = [c.func for c in calls if isinstance(c.func, cst.Attribute) and not c.args]
    return any(
        isinstance(f.value, cst.Name) and f.value.value == made.value and f.attr.value in lib.LEARNER_METHODS
        for f in asked
    )


def _does_something(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> bool:
    """Whether a call gives nothing in and takes nothing out, as a method of a base class out of view does.

    `self.model_ema(decay=0.99)` is no forward pass, whatever the name suggests; `model.forward()` is one of
    what the model was given before.
    """
    dropped = isinstance(machine.names.parents.get(node), cst.Expr)
    if not dropped or not isinstance(node, cst.Call) or any(given.keyword is None for given in node.args):
        return False
    if last_name(node.func) == "forward":
        return False
    return not args and argument_kind(machine, [], keywords) is None


def _external(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    path = lib.ALIASES.get(path, path)
    root, _, rest = path.partition(".")
    note_grad_use(machine, path.rpartition(".")[2], "", args, node)
    if path.startswith("#record:"):
        return make_record(machine, path, args, keywords, node)
    special = SPECIAL.get(path)
    if special is not None:
        return special(machine, args, keywords, node)
    if path in lib.GRAD_CONTEXTS:
        return grad_context(lib.GRAD_CONTEXTS[path], args)
    made = constructed(machine, path, args, keywords, node)
    if made is not None:
        return made
    if path in lib.AUTOCASTS:
        return autocast(path, args, keywords)
    if lib.PASS_THROUGH.match(path) and args:
        return passed_through(machine, path, args[0], node)
    if lib.TRANSPARENT_WRAPPERS.match(path) and args:
        return args[0]
    if (read := tensor_read(path)) is not None:
        return read
    if lib.PLAIN_PACKAGES.match(path) and not path.startswith("torch.cuda.amp"):
        note_opaque(machine, path, args, keywords, node)
        if path in lib.MAKES_ARRAYS and args:
            read_as_numbers(machine, args[0])
        if root == "numpy" and args:
            read_members_as_numbers(machine, args[0])
        return Scalar(root)
    if root == "functorch":
        return machine.unknown(node)  # it makes a function of a function, and runs neither
    if root == "torch" and rest:
        result = torch_function(machine, path, args, keywords, node)
        if path.rpartition(".")[2] in PRODUCTS:
            note_product(machine, [*args, *keywords.values()], result, node)
        if path in lib.LOSS_FUNCTIONS:
            note_criterion(machine, path, result, args, keywords, node)
        return result
    return unread_call(machine, path, path.rpartition(".")[2], args, keywords, node)


def _method(machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    result = call_method(machine, func, args, keywords, node)
    if func.name in PRODUCTS and result is not None:
        note_product(machine, [func.owner, *args], result, node)
    made = result if result is not None else unseen_call(machine, func.name, args, keywords, node)
    # A loss beside its parts: the text of the methods that may be meant tells what has left its graph.
    return without_graphs(machine, None, func.name, made)
