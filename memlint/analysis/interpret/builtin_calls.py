"""Library functions with a meaning of their own, each with what it does."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis.interpret.attributes import named_attribute
from memlint.analysis.interpret.autocasts import autocast
from memlint.analysis.interpret.backwards import backward
from memlint.analysis.interpret.containers import elements, new_container, new_list, note_draw, note_iteration
from memlint.analysis.interpret.contents import argument_kind, deep_ids
from memlint.analysis.interpret.engines import ignite_engine
from memlint.analysis.interpret.grad_modes import set_grad_enabled
from memlint.analysis.interpret.library_calls import passed_through
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.optimizer_calls import retains
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import set_default_dtype
from memlint.analysis.interpret.stores import STORES
from memlint.analysis.interpret.supers import super_object
from memlint.analysis.knowledge.libraries import AUTOCASTS
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    External,
    Function,
    Items,
    Kind,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    ids_of,
    join,
    kind_of,
    options_of,
    truth,
)
from memlint.syntax.tree import dotted

# --- autograd and parameters ----------------------------------------------------------------------


def _autograd_grad(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("outputs", SCALAR)
    create = truth(keywords.get("create_graph", Const(False))) is not False
    retain = create or truth(keywords.get("retain_graph", Const(False))) is not False
    machine.trace.wants_grad = True
    backward(machine, node, roots, retains=retain, fills=False, options=keywords)
    if create:
        return machine.tensor(Kind.GRAPH, node, deep_ids(machine, roots), "grad", opaque=True)
    return Tensor(Kind.DETACHED, NO_IDS, opaque=True)


def _autograd_backward(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("tensors", SCALAR)
    backward(machine, node, roots, retains=retains(keywords), fills=True, options=keywords)
    return NONE


def _checkpoint(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return machine.unknown(node)
    if machine.state is not None and machine.state.grad == "on":
        inputs = [kind_of(v) for v in args[1:]]
        worst = max((Kind.MAYBE if kind is None else kind for kind in inputs), default=Kind.MAYBE)
        machine.trace.checkpointed[id(node)] = max(worst, machine.trace.checkpointed.get(id(node), worst))
    rest = {k: v for k, v in keywords.items() if k not in ("use_reentrant", "preserve_rng_state")}
    return choice(machine.call(option, args[1:], rest, node) for option in options_of(args[0]))


def _variable(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if truth(keywords.get("requires_grad", Const(False))) is True:
        machine.trace.wants_grad = True
        return machine.tensor(Kind.GRAPH, node, ids_of(args[0]) if args else NO_IDS, "leaf")
    return args[0] if args else Tensor(Kind.DETACHED)


def _parameter(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if truth(keywords.get("requires_grad", Const(True))) is False:
        return Tensor(Kind.DETACHED)
    return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")


def _set_default_dtype(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    set_default_dtype(machine, args, node)
    return NONE


# --- iteration ------------------------------------------------------------------------------------


def _enumerate(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if args:
        machine.put(made.obj, Items((SCALAR, elements(machine, args[0], node))))
        made.obj.args["over"] = args[0]
    return made


def _zip(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    machine.put(made.obj, Items(tuple(elements(machine, v, node) for v in args)))
    if args:
        made.obj.args["over"] = choice(args)
    return made


def _iter(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return SCALAR
    note_draw(machine, "iter", args[0], node)
    return passed_through(machine, "builtins.iter", args[0], node)


def _next(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args:
        note_draw(machine, "next", args[0], node)
        if machine.loops:
            note_iteration(machine, args[0], machine.loops[-1])
    return elements(machine, args[0], node) if args else SCALAR


def _map(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if len(args) > 1:
        machine.put(made.obj, machine.call(args[0], [elements(machine, v, node) for v in args[1:]], {}, node))
    return made


def _chain(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    owners: frozenset[int] = frozenset()
    for value in args:
        if isinstance(value, Params):
            owners |= value.owners
        machine.put(made.obj, elements(machine, value, node))
    return Params(owners) if owners else made


def _sum(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return SCALAR
    value = elements(machine, args[0], node)
    kind, ids = argument_kind(machine, [value], {}), deep_ids(machine, value)
    if kind is None:
        return machine.unknown(node, ids, lightweight=True) if ids else SCALAR
    return machine.tensor(kind, node, ids, "sum", lightweight=True)


def _minmax(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    value: Value = SCALAR
    for arg in args:
        value = join(value, elements(machine, arg, node) if len(args) == 1 else arg)
    return value


# --- containers and records -----------------------------------------------------------------------


def _container(kind: str) -> Callable[[Machine, Args, Keywords, cst.CSTNode], Value]:
    def make(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        made = new_container(machine, kind, node)
        for name, value in keywords.items():
            machine.write((made.obj.id, f"[{name!r}]"), value)
        for given in args[:1] if kind == "dict" else ():
            pair = elements(machine, given, node) if _is_list(given) else None
            if isinstance(pair, Items) and len(pair.items) == 2:
                machine.put(made.obj, pair.items[1])
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


def _random_split(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """Parts of a data set: a list of subsets."""
    path = "torch.utils.data.random_split"
    part = machine.obj("dataset", node, path, path=path)
    part.args.update({str(i): v for i, v in enumerate(args)})
    part.args.update(keywords)
    made = new_list(machine, node)
    machine.put(made.obj, Ref(part))
    return made


# --- asking what a value is -----------------------------------------------------------------------


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


def _is_tensor(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], Tensor):
        return Const(True)
    return Const(False) if args and isinstance(args[0], (Scalar, Const, Items)) else SCALAR


def _hasattr(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if len(args) == 2 and args[1] in (
        Const("item"),
        Const("detach"),
        Const("requires_grad"),
        Const("backward"),
    ):
        return _is_tensor(machine, args, keywords, node)
    return SCALAR


# --- wrappers, copies and the rest ----------------------------------------------------------------


def _deepcopy(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], Ref) and args[0].obj.kind == "module":
        source = args[0].obj
        copied = machine.obj("module", node, "copy", path=source.path, cls=source.cls, name=source.name)
        machine.write((copied.id, "#born"), NONE)
        return Ref(copied)
    return args[0] if args else SCALAR


def _partial(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], External) and args[0].path in AUTOCASTS:
        return autocast(args[0].path, args[1:], keywords)
    if args and isinstance(args[0], Function) and machine.state is not None and machine.state.grad == "off":
        # Wherever it is kept until then, what is made ready under no_grad is called there.
        machine.invoke(args[0], args[1:], keywords, node)
    return args[0] if args else SCALAR


def _prepared(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return args[0] if len(args) == 1 else Items(tuple(args))


def _deepspeed(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    engine = Ref(machine.obj("engine", node, "deepspeed", path="deepspeed"))
    return Items(
        (engine, Unknown(NO_IDS, machine.number("deepspeed optimizer", id(node)), "data"), SCALAR, SCALAR)
    )


def _open(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return Scalar("file")


def _plain(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return SCALAR


SPECIAL: dict[str, Callable[[Machine, Args, Keywords, cst.CSTNode], Value]] = {
    "torch.set_grad_enabled": set_grad_enabled,
    "torch.autograd.grad": _autograd_grad,
    "torch.autograd.backward": _autograd_backward,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.autograd.Variable": _variable,
    "ignite.engine.Engine": ignite_engine,
    "ignite.engine.engine.Engine": ignite_engine,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "itertools.zip_longest": _zip,
    "builtins.iter": _iter,
    "builtins.next": _next,
    "builtins.sum": _sum,
    "torch.utils.data.random_split": _random_split,
    "torch.utils.data.dataset.random_split": _random_split,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": named_attribute,
    "builtins.list": _list,
    "collections.namedtuple": _namedtuple,
    "torch.set_default_dtype": _set_default_dtype,
    "torch.set_default_tensor_type": _set_default_dtype,
    "dataclasses.field": _field,
    "builtins.hasattr": _hasattr,
    "torch.is_tensor": _is_tensor,
    "builtins.super": super_object,
    "builtins.map": _map,
    "builtins.max": _minmax,
    "builtins.min": _minmax,
    "builtins.open": _open,
    "builtins.dict": _container("dict"),
    "collections.OrderedDict": _container("dict"),
    "collections.Counter": _container("dict"),
    "collections.deque": _deque,
    "collections.defaultdict": _defaultdict,
    "copy.deepcopy": _deepcopy,
    "functools.partial": _partial,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain,
    "apex.amp.initialize": _prepared,
    "deepspeed.initialize": _deepspeed,
    "ipex.optimize": _prepared,
    "intel_extension_for_pytorch.optimize": _prepared,
    **dict.fromkeys(
        (
            "builtins.float", "builtins.int", "builtins.len", "builtins.str", "builtins.print",
            "builtins.round", "builtins.repr", "builtins.bool", "builtins.range",
            "builtins.type", "builtins.abs", "builtins.id", "builtins.format", "builtins.input",
            "builtins.any", "builtins.all", "builtins.callable", "builtins.divmod",
        ),
        _plain,
    ),
    **STORES,
}  # fmt: skip
