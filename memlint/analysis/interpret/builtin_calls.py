"""Library functions with a meaning of their own, each with what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.attributes import named_attribute
from memlint.analysis.interpret.autocasts import autocast
from memlint.analysis.interpret.containers import elements, new_container, new_list
from memlint.analysis.interpret.engines import ignite_engine
from memlint.analysis.interpret.grad_modes import set_grad_enabled
from memlint.analysis.interpret.iteration_calls import (
    chain_call,
    enumerate_call,
    filter_call,
    iter_call,
    map_call,
    minmax_call,
    next_call,
    sum_call,
    zip_call,
)
from memlint.analysis.interpret.library_calls import passed_through
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.optimizer_calls import zero_parameters
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.stores import STORES
from memlint.analysis.interpret.supers import super_object
from memlint.analysis.interpret.tensor_methods import tensor_method
from memlint.analysis.interpret.torch_calls import (
    autograd_backward_call,
    autograd_grad_call,
    checkpoint_call,
    deepspeed_call,
    given_network_call,
    is_tensor_call,
    parameter_call,
    prepared_call,
    random_split_call,
    set_default_dtype_call,
    variable_call,
)
from memlint.analysis.interpret.unseen import note_opaque
from memlint.analysis.knowledge.libraries import AUTOCASTS, PARTIAL
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    External,
    Function,
    Items,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    options_of,
)
from memlint.syntax.tree import dotted

_MOST_GIVEN = 20


def _container(kind: str) -> Callable[[Machine, Args, Keywords, cst.CSTNode], Value]:
    def make(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        made = new_container(machine, kind, node)
        for name, value in keywords.items():
            machine.write((made.obj.id, f"[{name!r}]"), value)
        for given in args[:1] if kind == "dict" else ():
            pair = elements(machine, given, node) if _is_list(given) else None
            if isinstance(pair, Items) and len(pair.items) == 2:
                machine.put(made.obj, pair.items[1])
            elif isinstance(given, Params):
                machine.put(made.obj, given)
            elif isinstance(given, Ref):
                for name, value in machine.entries(given.obj):
                    machine.write((made.obj.id, name), value)
        return made

    return make


def _is_list(value: Value) -> bool:
    return isinstance(value, Ref) and value.obj.kind == "list"


def _list(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return passed_through(machine, "builtins.list", args[0], node) if args else new_list(machine, node)


def _deque(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_container(machine, "list", node)
    size: Value = args[1] if len(args) > 1 else keywords.get("maxlen", NONE)
    if not isinstance(size, Const):
        made.obj.bounded = -1
    elif isinstance(size.value, int):
        made.obj.bounded = size.value
    return made


def _defaultdict(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_container(machine, "dict", node)
    factory = args[0] if args else NONE
    if isinstance(factory, Function) and isinstance(factory.node, cst.Lambda):
        body = factory.node.body
        if isinstance(body, cst.List) or (
            isinstance(body, cst.Call) and dotted(body.func) in ("list", "deque")
        ):
            factory = External("builtins.list")
        elif isinstance(body, cst.Dict) or (
            isinstance(body, cst.Call) and dotted(body.func) in ("dict", "defaultdict")
        ):
            factory = External("builtins.dict")
    made.obj.args["default_factory"] = factory
    return made


def _namedtuple(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """A record class made by `namedtuple(name, fields)`: its objects keep their fields by name."""
    fields = args[1] if len(args) > 1 else keywords.get("field_names", NONE)
    if isinstance(fields, Ref):
        fields = fields.obj.args.get("constants", NONE)
    if isinstance(fields, Const) and isinstance(fields.value, str):
        names = fields.value.replace(",", " ").split()
    elif isinstance(fields, Items):
        names = [str(v.value) for v in fields.items if isinstance(v, Const)]
    else:
        return machine.unknown(node)
    return External("#record:" + ",".join(names))


def make_record(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """An object of a class that `namedtuple` made: `path` is `#record:` and its field names."""
    obj = machine.obj("instance", node, path)
    obj.args["#record"] = External(path)
    machine.write((obj.id, "#born"), NONE)
    names = path.partition(":")[2].split(",")
    for name, value in [*zip(names, args, strict=False), *keywords.items()]:
        machine.write((obj.id, "." + name), value)
    return Ref(obj)


def _field(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """A dataclass field: the value of a new object's attribute."""
    if "default" in keywords:
        return keywords["default"]
    factory = keywords.get("default_factory")
    return machine.call(factory, [], {}, node) if factory is not None else machine.unknown(node)


def _isinstance(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if len(args) != 2:
        return SCALAR
    value, wanted = args
    kinds = wanted.items if isinstance(wanted, Items) else (wanted,)
    paths = {v.path for v in kinds if isinstance(v, External)}
    if len(paths) != len(kinds):
        return SCALAR
    is_tensor = bool(paths & {"torch.Tensor", "torch.autograd.Variable"})
    if isinstance(value, Tensor) and (is_tensor or not value.opaque):
        return Const(is_tensor)
    if isinstance(value, (Items, Const)) or (isinstance(value, Ref) and value.obj.kind in ("list", "dict")):
        if is_tensor and len(paths) == 1:
            return Const(False)
        shape = (
            "tuple"
            if isinstance(value, Items)
            else value.obj.kind
            if isinstance(value, Ref)
            else type(value.value).__name__
        )
        return Const(f"builtins.{shape}" in paths)
    return SCALAR


def _hasattr(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if len(args) == 2 and args[1] in (
        Const("item"),
        Const("detach"),
        Const("requires_grad"),
        Const("backward"),
    ):
        return is_tensor_call(machine, args, keywords, node)
    return SCALAR


def _cast(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`cast(Type, value)`, which gives the value back."""
    return args[1] if len(args) > 1 else machine.unknown(node)


def _deepcopy(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    options = options_of(args[0]) if args else ()
    return choice(_copied(machine, option, node, n) for n, option in enumerate(options)) if args else SCALAR


def _copied(machine: Machine, value: Value, node: cst.CSTNode, number: int) -> Value:
    """The copy of one of the values that a name may have: of a module another module, else itself."""
    if not isinstance(value, Ref) or value.obj.kind != "module":
        return value
    source, tag = value.obj, ("copy", number) if number else ("copy",)
    copied = machine.obj("module", node, *tag, path=source.path, cls=source.cls, name=source.name)
    machine.write((copied.id, "#born"), NONE)
    return Ref(copied)


def _partial(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], External) and args[0].path in AUTOCASTS:
        return autocast(args[0].path, args[1:], keywords)
    if args and isinstance(args[0], Function) and machine.state is not None and machine.state.grad == "off":
        # Wherever it is kept until then, what is made ready under no_grad is called there.
        machine.invoke(args[0], args[1:], keywords, node)
    note_opaque(machine, PARTIAL, args[1:], keywords, node)
    return _with_arguments(args[0], tuple(args[1:]), keywords) if args else SCALAR


def _with_arguments(value: Value, args: tuple[Value, ...], keywords: Keywords) -> Value:
    """A function with what `partial` has bound; all else, and what is bound again and again, as it is."""
    if not isinstance(value, Function) or len(value.given) + len(args) > _MOST_GIVEN:
        return value
    named = {**dict(value.named), **keywords}
    return replace(value, given=(*value.given, *args), named=tuple(named.items()))


def _foreach_zero(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """Zeroes all tensors of a list at once, which training code has for lists of gradients."""
    zero_parameters(machine, node, NO_IDS)
    return NONE


def _open(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return Scalar("file")


def _abs(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`abs(x)` asks `x` itself: of a tensor it is `x.abs()`, graph and all."""
    only = args[0] if len(args) == 1 else SCALAR
    if isinstance(only, Tensor):
        return tensor_method(machine, only, "abs", [], {}, node)
    return machine.unknown(node, only.ids) if isinstance(only, Unknown) else SCALAR


def _plain(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return SCALAR


SPECIAL: dict[str, Callable[[Machine, Args, Keywords, cst.CSTNode], Value]] = {
    "torch.set_grad_enabled": set_grad_enabled,
    "torch._foreach_zero_": _foreach_zero,
    "torch.autograd.grad": autograd_grad_call,
    "torch.autograd.backward": autograd_backward_call,
    "torch.utils.checkpoint.checkpoint": checkpoint_call,
    "monai.inferers.sliding_window_inference": given_network_call(3, "predictor", (0,)),
    "monai.inferers.utils.sliding_window_inference": given_network_call(3, "predictor", (0,)),
    "torchdiffeq.odeint": given_network_call(0, "func", (2, 1)),
    "torchdiffeq.odeint_adjoint": given_network_call(0, "func", (2, 1)),
    "torch.nn.parallel.data_parallel": given_network_call(0, "module", (1,)),
    "torch.autograd.Variable": variable_call,
    "ignite.engine.Engine": ignite_engine,
    "ignite.engine.engine.Engine": ignite_engine,
    "torch.nn.Parameter": parameter_call,
    "torch.nn.parameter.Parameter": parameter_call,
    "builtins.enumerate": enumerate_call,
    "builtins.zip": zip_call,
    "itertools.zip_longest": zip_call,
    "builtins.iter": iter_call,
    "builtins.next": next_call,
    "builtins.sum": sum_call,
    "torch.utils.data.random_split": random_split_call,
    "torch.utils.data.dataset.random_split": random_split_call,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": named_attribute,
    "builtins.list": _list,
    "collections.namedtuple": _namedtuple,
    "torch.set_default_dtype": set_default_dtype_call,
    "torch.set_default_tensor_type": set_default_dtype_call,
    "dataclasses.field": _field,
    "builtins.hasattr": _hasattr,
    "torch.is_tensor": is_tensor_call,
    "builtins.super": super_object,
    "builtins.map": map_call,
    "builtins.filter": filter_call,
    "builtins.max": minmax_call,
    "builtins.min": minmax_call,
    "builtins.abs": _abs,
    "builtins.open": _open,
    "builtins.dict": _container("dict"),
    "collections.OrderedDict": _container("dict"),
    "collections.Counter": _container("dict"),
    "collections.deque": _deque,
    "collections.defaultdict": _defaultdict,
    "copy.deepcopy": _deepcopy,
    "typing.cast": _cast,
    PARTIAL: _partial,
    "itertools.chain": chain_call,
    "itertools.chain.from_iterable": chain_call,
    "apex.amp.initialize": prepared_call,
    "deepspeed.initialize": deepspeed_call,
    "ipex.optimize": prepared_call,
    "intel_extension_for_pytorch.optimize": prepared_call,
    **dict.fromkeys(
        (
            "builtins.float", "builtins.int", "builtins.len", "builtins.str", "builtins.print",
            "builtins.round", "builtins.repr", "builtins.bool", "builtins.range",
            "builtins.type", "builtins.id", "builtins.format", "builtins.input",
            "builtins.any", "builtins.all", "builtins.callable", "builtins.divmod",
        ),
        _plain,
    ),
    **STORES,
}  # fmt: skip
