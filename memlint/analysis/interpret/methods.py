"""Methods of what is not a class of the file, by the kind of their owner."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.container_methods import container_method
from memlint.analysis.interpret.containers import graded, new_list, note_draw
from memlint.analysis.interpret.contents import deep_ids, refine
from memlint.analysis.interpret.grad_modes import enter_context, set_grad_enabled
from memlint.analysis.interpret.grad_uses import note_grad_use
from memlint.analysis.interpret.loop_carried import cut
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.module_methods import by_name, module_method
from memlint.analysis.interpret.operators import of_text
from memlint.analysis.interpret.optimizer_calls import (
    backward_method,
    engine_method,
    named_scaler,
    scaler_method,
    step,
    unknown_step,
    zero_method,
    zero_parameters,
)
from memlint.analysis.interpret.parameters import params_method
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.tensor_methods import read_as_report, tensor_method
from memlint.analysis.interpret.unseen import table_hint, unseen_call
from memlint.analysis.knowledge import data_hints, hints, naming
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
    Scalar,
    Tensor,
    Unknown,
    Value,
    kind_of,
    options_of,
    truth,
)
from memlint.syntax.tree import dotted, last_name

_DATASET_METHODS = frozenset("train_test_split map with_format shuffle __iter__ select".split())
_STRING_METHODS = frozenset("keys format strip startswith endswith lower upper".split())


_ADDING_METHODS = frozenset("append extend insert clear".split())
_LISTS = frozenset({"builtins.list", "collections.UserList"})


def _is_list(obj: Obj) -> bool:
    """Whether an object's class is a list with methods of its own."""
    return obj.kind == "instance" and obj.cls is not None and not _LISTS.isdisjoint(obj.cls.ancestry())


def _is_of_input(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether `x.grad.zero_()` clears the gradient of data, which no optimizer trains; of members of a list,
    which may be trained, that is not known."""
    func = node.func if isinstance(node, cst.Call) else None
    grad = func.value if isinstance(func, cst.Attribute) else None
    owner = grad.value if isinstance(grad, cst.Attribute) and grad.attr.value == "grad" else None
    if not isinstance(owner, cst.Name) or any(
        isinstance(loop.node, cst.For) and dotted(loop.node.target) == owner.value for loop in machine.loops
    ):
        return False
    value = machine.evaluate(owner)
    return isinstance(value, Tensor) and value.kind < Kind.MAYBE


def call_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    """The result of `owner.name(...)`; None when nothing is known of such a method."""
    owner, name = func.owner, func.name
    if name in ("backward", "manual_backward"):
        return backward_method(machine, owner, args, keywords, node)
    if name in ("zero_grad", "optimizer_zero_grad", "clear_grad", "clear_gradients"):
        return zero_method(machine, func, node)
    if name in ("zero_", "fill_", "mul_") and ".grad." in func.code:
        # Multiplied by anything but zero, gradients stay what they are: clipped, or scaled for a window.
        if not _is_of_input(machine, node) and (name != "mul_" or args[:1] in ([Const(0)], [Const(0.0)])):
            zero_parameters(machine, node, NO_IDS)
        return SCALAR
    if name == "__iter__":
        note_draw(machine, "iter", owner, node)
    note_grad_use(machine, name, func.code, args, node)
    if name in ("__enter__", "enter_context"):
        return enter_context(machine, owner, args)
    if name == "set_grad_enabled":
        return set_grad_enabled(machine, args, keywords, node)
    if isinstance(owner, Ref):
        return _object_method(machine, func, owner, args, keywords, node)
    if isinstance(owner, Tensor):
        return tensor_method(machine, owner, name, args, keywords, node)
    if isinstance(owner, Params):
        return params_method(machine, owner, name, args, node)
    if isinstance(owner, Const):
        return of_text(owner, name, args)
    if isinstance(owner, (Scalar, Items)):
        return SCALAR
    return _unknown_method(machine, func, args, keywords, node)


def _is_given_network(args: Args) -> bool:
    """Whether a call gets a network or its parameters, as the maker of an optimizer does:
    `self.optimizer = optimizer.build(self.network)`."""
    options = [option for arg in args for option in options_of(arg)]
    return any(
        isinstance(option, Params) or (isinstance(option, Ref) and option.obj.kind == "module")
        for option in options
    )


def _object_method(
    machine: Machine, func: Method, owner: Ref, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    obj, name = owner.obj, func.name
    if obj.kind == "super":
        return _super_method(machine, obj, name, args, keywords, node)
    if name == "__call__":
        return machine.call(owner, args, keywords, node)
    if obj.kind in ("list", "dict") or (name in _ADDING_METHODS and _is_list(obj)):
        return container_method(machine, obj, func, args, keywords, node)
    if name == "get" and obj.kind == "module" and obj.by_name and hints.CODES_DATA.search(obj.name):
        return unseen_call(machine, name, args, keywords, node)  # containers of layers have no `get`
    if obj.kind in ("module", "loss"):
        return module_method(machine, owner, func, args, keywords, node)
    if obj.kind == "optimizer" and name == "step":
        return step(machine, obj, node, func.code.rpartition(".")[0], args + list(keywords.values()))
    if obj.kind == "optimizer":
        return None if obj.by_name and _is_given_network(args) else SCALAR
    if obj.kind == "scaler":
        return scaler_method(machine, obj, func, args, node)
    if obj.kind == "engine":
        return engine_method(machine, func, args)
    if obj.kind in ("parser", "namespace"):
        if name.startswith("parse"):
            return Ref(machine.obj("namespace", node))
        return owner if obj.kind == "parser" else SCALAR
    if name in ("to", "cuda", "cpu"):
        return owner
    if obj.kind == "loader" and obj.by_name and name in ("items", "values"):
        return _named_loaders(machine, obj, name, node)
    return owner if obj.kind in ("loader", "dataset") and name in _DATASET_METHODS else None


def _named_loaders(machine: Machine, obj: Obj, name: str, node: cst.CSTNode) -> Value | None:
    """What `loaders.values()` goes through, where only the name says that they are loaders."""
    single = obj.name.rpartition(".")[2].removesuffix("s")
    if single == obj.name or not data_hints.LOADER_VARIABLE.search(single) or _names_keys(machine, node):
        return None
    inner = Ref(machine.obj("loader", None, "member", obj.id, name=single, by_name=True))
    made = new_list(machine, node, name)
    machine.put(made.obj, inner if name == "values" else Items((SCALAR, inner)))
    return made


def _names_keys(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether it is the keys that a loop calls loaders: `for loader, epochs in loaders.items()`."""
    loop = machine.names.parents.get(node)
    target = loop.target if isinstance(loop, (cst.For, cst.CompFor)) else None
    key = target.elements[0].value if isinstance(target, cst.Tuple) else None
    return isinstance(key, cst.Name) and bool(data_hints.LOADER_VARIABLE.search(key.value))


def _super_method(
    machine: Machine, obj: Obj, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    found = obj.cls.find(name) if obj.cls is not None else None
    if found is None:
        return NONE
    method = machine.decorate(Function(found[0], found[1], obj.args["self"]), found[0])
    return machine.call(method, args, keywords, node)


def _unknown_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    owner, name = func.owner, func.name
    linked = by_name(machine, func) or _of_new_network(machine, func, node)
    if linked is not None:
        return machine.call(linked, args, keywords, node)
    scaler = named_scaler(machine, func)
    if scaler is not None and (args or name == "update"):
        return scaler_method(machine, scaler, func, args, node)
    if name in lib.SCALAR_METHODS or name in _STRING_METHODS or _is_of_text(name, args):
        return SCALAR
    if name == "update":
        read_as_report(machine, owner, args, keywords)
    if name in lib.DETACH_METHODS:
        if name == "detach_":
            cut(machine, deep_ids(machine, owner))
        return Tensor(Kind.DETACHED)
    if name in lib.INDEX_METHODS and name not in ("int", "bool"):
        return Tensor(Kind.INDEX)
    if name == "step":
        return unknown_step(machine, func, args, node)
    if name in ("parameters", "named_parameters"):
        return Params(frozenset())
    if name in ("eval", "train") and machine.state is not None and not isinstance(owner, Function):
        machine.state.evals = machine.state.evals | {-1} if name == "eval" and not args else frozenset()
        return owner
    if name == "prepare" and len(args) > 1:
        return Items(tuple(args))
    if name == "requires_grad_":
        if truth(args[0] if args else Const(True)) is False:
            return owner
        machine.trace.wants_grad = True
        return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")
    if name in ("append", "extend"):
        return NONE
    if name in lib.LIGHT_METHODS or name in ("items", "values", "get"):
        return _derived(machine, owner, name, args, node)
    if name in lib.ARITHMETIC_METHODS and (ids := deep_ids(machine, owner)):
        return machine.unknown(node, ids)
    return None


_OF_NETWORKS = frozenset("half bfloat16 cuda to eval train float double requires_grad_".split())


def _of_new_network(machine: Machine, func: Method, node: cst.CSTNode) -> Value | None:
    """The method of a network that a class out of view makes right here: `net = ResNet().cuda().half()`."""
    made, above = node, machine.names.parents.get(node)
    if func.name not in _OF_NETWORKS or not isinstance(func.owner, Unknown):
        return None
    while isinstance(made, (cst.Call, cst.Attribute)):
        made = made.func if isinstance(made, cst.Call) else made.value
        if isinstance(made, cst.Call) and naming.class_name(last_name(made.func)):
            break
    while isinstance(above, (cst.Call, cst.Attribute)):
        above = machine.names.parents.get(above)
    if not isinstance(made, cst.Call) or not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return None
    network = refine(machine, func.owner, last_name(above.targets[0].target))
    return Method(network, func.name, func.code) if _is_network(network) else None


def _is_network(value: Value) -> bool:
    return isinstance(value, Ref) and value.obj.kind == "module"


def _derived(machine: Machine, owner: Value, name: str, args: Args, node: cst.CSTNode) -> Value:
    """What light arithmetic, or reading an entry, makes of a value of which nothing is known."""
    args = [] if name in lib.SHAPING_METHODS else args
    ids = frozenset().union(*(deep_ids(machine, value) for value in (owner, *args)))
    kinds = [k for a in args if (k := kind_of(a)) is not None and k >= Kind.MAYBE]
    if kinds:
        return machine.tensor(graded(machine, max(kinds)), node, ids, name, lightweight=True)
    hint = owner.hint if isinstance(owner, Unknown) else ""
    return machine.unknown(node, ids, lightweight=True, hint=hint or table_hint(name, node))


def _is_of_text(name: str, args: Args) -> bool:
    """Whether a `split` is that of a string: tensors are split by a size."""
    return name == "split" and all(isinstance(a, Const) and not isinstance(a.value, int) for a in args)
