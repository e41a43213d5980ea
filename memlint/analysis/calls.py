"""Abstract calls: of functions and classes of the file, of library names, of modules and tensors."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis import guesses, methods
from memlint.analysis import libraries as lib
from memlint.analysis.containers import elements, graded, new_container, new_list, note_iteration
from memlint.analysis.facts import Forward, Opaque
from memlint.analysis.machine import Machine, deep_ids, owners_in, stored
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Class,
    ClassInfo,
    Const,
    Context,
    External,
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
    ids_of,
    join,
    kind_of,
    options_of,
    truth,
)

Args = list[Value]
Keywords = dict[str, Value]


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
        return _decorate(machine, func, args)
    return _unseen(machine, _called_name(machine, node), args, keywords, node)


def _decorate(machine: Machine, context: Context, args: Args) -> Value:
    if len(args) == 1 and isinstance(args[0], Function):
        function = args[0]
        return Function(function.node, function.frame, function.bound, context.grad)
    return context


def _called_name(machine: Machine, node: cst.CSTNode) -> str:
    func = node.func if isinstance(node, cst.Call) else node
    if isinstance(func, cst.Attribute):
        return func.attr.value
    return func.value if isinstance(func, cst.Name) else ""


# --- objects ----------------------------------------------------------------------------------


def instantiate(
    machine: Machine, info: ClassInfo, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """Make an object of a class of the file and run its constructor."""
    obj = machine.obj(class_kind(info), node, id(info), cls=info)
    machine.write((obj.id, "#born"), NONE)
    if obj.kind == "module":
        methods.note_default_dtype(machine, obj)
    ref = Ref(obj)
    found = info.find("__init__")
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
        if path in ("torch.nn.Module", "torch.nn.modules.module.Module") or tail.endswith("Module"):
            return "module"
        if path.startswith("torch.nn.") and tail[:1].isupper():
            return "loss" if tail.endswith("Loss") else "module"
        if tail == "Optimizer" or (lib.OPTIMIZER_PATHS.match(path)):
            return "optimizer"
        if tail.endswith(("Dataset", "IterDataPipe", "MapDataPipe")):
            return "dataset"
        if tail == "DataLoader":
            return "loader"
        if tail == "Function" and "autograd" in path:
            return "autograd"
        if tail in ("PreTrainedModel", "ModelMixin", "Model", "BaseModel") or lib.MODEL_PATHS.match(path):
            return "module"
        if tail in ("list", "dict", "OrderedDict", "defaultdict", "UserDict"):
            return "instance"
    return "instance"


def _call_object(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    obj = func.obj
    if obj.kind == "loss":
        return _loss(machine, func, args, keywords, node)
    if obj.kind in ("module", "engine"):
        return _forward(machine, func, args, keywords, node)
    if obj.cls is not None and (found := obj.cls.find("__call__")) is not None:
        return machine.invoke(Function(found[0], found[1], func), args, keywords, node)
    if obj.kind in ("optimizer", "scaler", "loader"):
        return machine.unknown(node, _argument_ids(machine, args, keywords))
    return _unseen(machine, _called_name(machine, node), args, keywords, node)


def _argument_ids(machine: Machine, args: Args, keywords: Keywords) -> frozenset[int]:
    found: frozenset[int] = NO_IDS
    for value in (*args, *keywords.values()):
        found |= deep_ids(machine, value)
    return found


def argument_kind(machine: Machine, args: Args, keywords: Keywords) -> Kind | None:
    """The highest tensor kind among the arguments and what they hold; None when there is no tensor."""
    kinds: list[Kind] = []
    stack: list[tuple[Value, int]] = [(v, 0) for v in (*args, *keywords.values())]
    while stack:
        value, depth = stack.pop()
        for option in options_of(value):
            kind = kind_of(option)
            if kind is not None:
                kinds.append(kind)
            elif isinstance(option, Params) and machine.state is not None:
                kinds.append(Kind.DETACHED if machine.state.grad == "off" else Kind.GRAPH)
            elif isinstance(option, Ref) and depth < 2:
                stack.extend((v, depth + 1) for v in stored(machine, option.obj))
    return max(kinds) if kinds else None


def _loss(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if func.obj.cls is not None:
        found = func.obj.cls.find("forward") or func.obj.cls.find("__call__")
        if found is not None:
            return _summarised(machine, func, found, args, keywords, node)
    kind = argument_kind(machine, args, keywords)
    ids = _argument_ids(machine, args, keywords)
    if kind is None or kind < Kind.MAYBE:
        return machine.unknown(node, ids, light=True) if _has_unknown(args) else Tensor(Kind.DETACHED)
    return machine.tensor(graded(machine, kind), node, ids, "loss")


def _has_unknown(args: Args) -> bool:
    return any(isinstance(o, (Unknown, Method)) for v in args for o in options_of(v)) or not args


# --- forward passes ---------------------------------------------------------------------------


def _forward(machine: Machine, func: Ref, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    state = machine.state
    assert state is not None
    obj = func.obj
    frozen = truth(machine.read((obj.id, "#frozen")) or Const(False)) is True
    kind = argument_kind(machine, args, keywords)
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is not None:
        result = _summarised(machine, func, found, args, keywords, node, tensor_result=True)
    elif frozen and (kind is None or kind < Kind.MAYBE):
        result = Tensor(Kind.DETACHED, NO_IDS, opaque=True)
    else:
        result = _module_result(machine, obj, args, keywords, node)
    if frozen and (kind is None or kind < Kind.MAYBE):
        result = Tensor(Kind.DETACHED, NO_IDS, opaque=True)
    # The embedded and inference-only modules record nothing that the script could free.
    trains_itself = found is not None and id(found[0]) in machine.trace.self_training
    recorded = (
        not trains_itself and _carries(machine, result) and not lib.INFERENCE_ONLY_MODELS.match(obj.path)
    )
    event = Forward(
        node=node, frame=machine.frame, loops=machine.loops, module=func, grad=state.grad,
        ids=deep_ids(machine, result), evaluating=obj.id in state.evals or _somebody_evaluates(machine),
        recorded=recorded, code=machine.code(node.func) if isinstance(node, cst.Call) else "",
    )  # fmt: skip
    machine.record(machine.trace.forwards, event)  # type: ignore[arg-type]
    if not machine.quiet and methods.precision_of(machine, obj.id):
        machine.trace.half_outputs.update(dict.fromkeys(event.ids, obj.id))
    return result


def _somebody_evaluates(machine: Machine) -> bool:
    """Whether some module was put into evaluation mode on every way to here (the wrapper or a parent)."""
    assert machine.state is not None
    return bool(machine.state.evals)


def _carries(machine: Machine, value: Value) -> bool:
    kind = argument_kind(machine, [value], {})
    return kind is not None and kind >= Kind.MAYBE


def _module_result(machine: Machine, obj: Obj, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    ids = _argument_ids(machine, args, keywords)
    kind = graded(machine, Kind.GRAPH)
    result = machine.tensor(kind, node, ids, "out", opaque=not obj.path.startswith("torch.nn."))
    if lib.RECURRENT.match(obj.path) and not obj.path.endswith("Cell"):
        hidden = machine.tensor(kind, node, ids, "hidden", opaque=True)
        return Items((result, hidden))
    return result


def _summarised(
    machine: Machine,
    func: Ref,
    found: tuple[cst.FunctionDef, object],
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
    *,
    tensor_result: bool = False,
) -> Value:
    """The result of a pure-looking method, from a template computed once for each kind of call."""
    assert machine.state is not None
    definition, frame = found
    signature = tuple(_signature(v) for v in args) + tuple(
        (k, _signature(v)) for k, v in sorted(keywords.items())
    )
    key = (id(definition), func.obj.id, machine.state.grad, signature)
    template = machine.templates.get(key)
    if template is None:
        machine.templates[key] = SCALAR
        machine.quiet += 1
        before = machine.state.copy()
        template = machine.invoke(Function(definition, frame, func), args, keywords, node)  # type: ignore[arg-type]
        machine.quiet -= 1
        if machine.quiet_backward:
            machine.trace.self_training.add(id(definition))
            machine.quiet_backward = False
        template = _frozen_copy(machine, template)
        machine.state = before
        machine.templates[key] = template
    ids = _argument_ids(machine, args, keywords)
    return _instance(machine, template, node, ids, ("out",), tensor_result)


def _signature(value: Value) -> object:
    if isinstance(value, Const):
        return repr(value)
    if isinstance(value, Ref):
        return value.obj.id
    return (type(value).__name__, kind_of(value))


def _frozen_copy(machine: Machine, value: Value) -> Value:
    """A template free of heap references: dicts and lists become their members' values."""
    if isinstance(value, Ref) and value.obj.kind in ("list", "dict", "instance"):
        return Items(
            (
                Const(value.obj.kind),
                *(
                    Items((Const(n), _frozen_copy(machine, v)))
                    for n, v in machine.entries(value.obj)
                    if n[0] in "[."
                ),
            )
        )
    if isinstance(value, Items):
        return Items(tuple(_frozen_copy(machine, v) for v in value.items))
    return choice(_frozen_copy(machine, v) for v in value.options) if len(options_of(value)) > 1 else value  # type: ignore[union-attr]


def _instance(
    machine: Machine,
    template: Value,
    node: cst.CSTNode,
    ids: frozenset[int],
    path: tuple[object, ...],
    strict: bool,
) -> Value:
    if isinstance(template, Tensor):
        if template.kind >= Kind.MAYBE:
            return machine.tensor(template.kind, node, ids, *path, opaque=template.opaque)
        return template
    if isinstance(template, (Unknown, Method)):
        if strict:
            return machine.tensor(graded(machine, Kind.GRAPH), node, ids, *path, opaque=True)
        return machine.unknown(node, ids)
    if isinstance(template, Items):
        first = template.items[0] if template.items else None
        if isinstance(first, Const) and first.value in ("list", "dict", "instance"):
            made = new_container(machine, str(first.value), node, *path)
            for entry in template.items[1:]:
                assert isinstance(entry, Items)
                name = entry.items[0]
                assert isinstance(name, Const)
                machine.write(
                    (made.obj.id, str(name.value)),
                    _instance(machine, entry.items[1], node, ids, (*path, name.value), strict),
                )
            return made
        return Items(
            tuple(_instance(machine, v, node, ids, (*path, i), strict) for i, v in enumerate(template.items))
        )
    if len(options_of(template)) > 1:
        return choice(
            _instance(machine, v, node, ids, (*path, "or", i), strict)
            for i, v in enumerate(options_of(template))
        )
    return template


# --- library functions ------------------------------------------------------------------------


def _external(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    path = lib.ALIASES.get(path, path)
    root, _, rest = path.partition(".")
    if path.startswith("#record:"):
        return _record(machine, path, args, keywords, node)
    special = _SPECIAL.get(path)
    if special is not None:
        return special(machine, args, keywords, node)
    if path in lib.GRAD_CONTEXTS:
        return _context(lib.GRAD_CONTEXTS[path], args)
    made = _constructed(machine, path, args, keywords, node)
    if made is not None:
        return made
    if lib.PASS_THROUGH.match(path) and args:
        return _passed(machine, path, args[0], node)
    if lib.TRANSPARENT_WRAPPERS.match(path) and args:
        return args[0]
    if lib.PLAIN_PACKAGES.match(path) and not path.startswith("torch.cuda.amp"):
        _note_opaque(machine, path, args, keywords, node)
        return Scalar(root)
    if root == "torch" and rest:
        return _torch_function(machine, path, args, keywords, node)
    return _unseen(machine, path.rpartition(".")[2], args, keywords, node)


def _context(mode: str, args: Args) -> Value:
    if len(args) == 1 and isinstance(args[0], Function):
        return Function(args[0].node, args[0].frame, args[0].bound, mode)
    if args and truth(args[0]) is False and mode == "off":
        return Context("on")
    if args and truth(args[0]) is None:
        return Context("maybe")
    return Context(mode)


def _constructed(
    machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    kind = ""
    if path in ("torch.utils.data.DataLoader",) or (path.endswith("DataLoader") and path.startswith("torch")):
        kind = "loader"
    elif path.startswith("torch.optim.swa_utils"):
        return args[0] if args else None
    elif lib.OPTIMIZER_PATHS.match(path):
        kind = "optimizer"
    elif path.endswith(".GradScaler") or path in ("torch.cuda.amp.GradScaler",):
        kind = "scaler"
    elif lib.LOSS_PATHS.match(path):
        kind = "loss"
    elif lib.MODEL_PATHS.match(path) or (
        path.startswith("torch.nn.")
        and _is_class(path)
        and ".functional." not in path
        and ".Parameter" not in path
        and ".utils." not in path
        and ".init." not in path
        and not lib.TRANSPARENT_WRAPPERS.match(path)
    ):
        kind = "module"
    elif lib.ENGINE_PATHS.match(path):
        kind = "engine"
    elif (
        path.startswith(
            (
                "torchvision.datasets.",
                "torch.utils.data.",
                "datasets.",
                "torchaudio.datasets",
                "torchtext.datasets",
            )
        )
        and _is_class(path)
        and not path.endswith("Sampler")
    ):
        kind = "dataset"
    elif path.endswith("ArgumentParser"):
        kind = "parser"
    if not kind:
        return None
    obj = machine.obj(kind, node, path, path=path)
    obj.args.update({str(i): v for i, v in enumerate(args)})
    obj.args.update(keywords)
    machine.write((obj.id, "#born"), NONE)
    if kind == "optimizer":
        obj.args["#owners"] = Params(owners_in(machine, obj.args.values()))
    if kind == "loader" and not machine.quiet:
        machine.trace.loaders[id(node)] = obj
    if kind == "module":
        methods.note_default_dtype(machine, obj)
        methods.note_precision(machine, obj, keywords, node)
    return Ref(obj)


def _is_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def _passed(machine: Machine, path: str, value: Value, node: cst.CSTNode) -> Value:
    if path.startswith("builtins.") and isinstance(value, (Items, Scalar, Const)):
        made = new_list(machine, node)
        if isinstance(value, Items):
            for item in value.items:
                machine.put(made.obj, item)
        return made
    if path == "builtins.filter":
        return SCALAR
    if path in ("builtins.list", "builtins.sorted", "builtins.tuple") and isinstance(value, Ref):
        machine.trace.collected.add(value.obj.id)
    if path in ("builtins.list", "builtins.sorted") and isinstance(value, Ref) and value.obj.kind == "list":
        made = new_list(machine, node)
        machine.put(made.obj, elements(machine, value, node))
        return made
    return value


def _torch_function(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    name = path.rpartition(".")[2]
    if name in lib.SCALAR_FUNCTIONS:
        return SCALAR
    if name in lib.FACTORIES and path.count(".") <= 2:
        if truth(keywords.get("requires_grad", Const(False))) is not False:
            machine.trace.wants_grad = True
            return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")
        if name in ("as_tensor", "tensor") and args and kind_of(args[0]) is not None and name == "as_tensor":
            return args[0]
        return Tensor(Kind.DETACHED)
    if name in lib.INDEX_FUNCTIONS:
        return Tensor(Kind.INDEX)
    if name == "detach":
        return Tensor(Kind.DETACHED)
    kind = argument_kind(machine, args, keywords)
    ids = _argument_ids(machine, args, keywords)
    if kind is None or kind < Kind.MAYBE:
        if _has_unknown([*args, *keywords.values()]) and kind is None:
            return machine.unknown(node, ids, light=name in lib.LIGHT_METHODS or name in ("stack", "cat"))
        if _has_unknown([*args, *keywords.values()]) and ids:
            return machine.unknown(node, ids)
        result: Value = Tensor(kind if kind is not None else Kind.DETACHED)
    else:
        result = machine.tensor(
            graded(machine, kind),
            node,
            ids,
            name,
            light=name in lib.LIGHT_METHODS or name in ("stack", "cat"),
        )
    if (
        name in lib.PAIR_METHODS
        and (len(args) > 1 or "dim" in keywords)
        and not (len(args) == 2 and kind_of(args[1]) not in (None, Kind.INDEX))
    ):
        return Items((result, Tensor(Kind.INDEX)))
    return result


def _note_opaque(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> None:
    objects = set()
    for value in (*args, *keywords.values()):
        for option in options_of(value):
            if isinstance(option, Ref):
                objects.add(option.obj.id)
            elif isinstance(option, Params):
                objects |= option.owners
            if (
                isinstance(option, Function)
                and option.frame.lexical is not None
                and not name.startswith("functools.")
            ):
                _call_back(machine, option, node)
    if objects:
        event = Opaque(
            node=node, frame=machine.frame, loops=machine.loops, name=name, objects=frozenset(objects)
        )
        machine.record(machine.trace.opaque, event)  # type: ignore[arg-type]


def _call_back(machine: Machine, function: Function, node: cst.CSTNode) -> None:
    """A function handed to code that cannot be seen is expected to be called by it."""
    machine.invoke(function, [], {}, node)


def _unseen(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """A call into code that is not in the file: the name and the arguments tell what to expect."""
    _note_opaque(machine, name, args, keywords, node)
    kind = argument_kind(machine, args, keywords)
    ids = _argument_ids(machine, args, keywords)
    if any(isinstance(o, Params) for v in args for o in options_of(v)):
        return machine.unknown(node)
    if guesses.differentiating_call(name) and not machine.quiet:
        roots = Items(tuple(v for v in (*args, *keywords.values()) if isinstance(v, (Tensor, Unknown))))
        if ids_of(roots):
            machine.backward(node, roots, retains=False, fills=False, unseen=True)
    if kind is not None and kind >= Kind.MAYBE:
        if guesses.detaching_call(name):
            return SCALAR
        if guesses.loss_call(name):
            return machine.tensor(graded(machine, kind), node, ids, "unseen", opaque=True)
        if guesses.numeric_call(name):
            return Scalar()
        return machine.tensor(graded(machine, Kind.MAYBE), node, ids, "unseen", opaque=True)
    return machine.unknown(node, ids)


# --- functions with a meaning of their own ------------------------------------------------------


def _set_grad_enabled(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    value = args[0] if args else keywords.get("mode", SCALAR)
    known = truth(value)
    mode = "maybe" if known is None else "on" if known else "off"
    if (
        machine.state is not None
        and isinstance(node, cst.Call)
        and isinstance(machine.names.parents.get(node), cst.Expr)
    ):
        machine.state.grad = mode
        machine.sticky_grad = True
    return Context(mode)


def _autograd_grad(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("outputs", SCALAR)
    create = truth(keywords.get("create_graph", Const(False))) is not False
    retain = create or truth(keywords.get("retain_graph", Const(False))) is not False
    machine.trace.wants_grad = True
    machine.backward(node, roots, retains=retain, fills=False)
    if create:
        return machine.tensor(Kind.GRAPH, node, deep_ids(machine, roots), "grad", opaque=True)
    return Tensor(Kind.DETACHED, NO_IDS, opaque=True)


def _autograd_backward(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    roots = args[0] if args else keywords.get("tensors", SCALAR)
    machine.backward(node, roots, retains=methods.retains(keywords), fills=True)
    return NONE


def _checkpoint(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return machine.unknown(node)
    rest = {k: v for k, v in keywords.items() if k not in ("use_reentrant", "preserve_rng_state")}
    return choice(call(machine, option, args[1:], rest, node) for option in options_of(args[0]))


def _enumerate(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if args:
        machine.put(made.obj, Items((SCALAR, elements(machine, args[0], node))))
        made.obj.args["over"] = args[0]
    return made


def _zip(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if any(isinstance(v, Items) for v in args) is False or args:
        machine.put(made.obj, Items(tuple(elements(machine, v, node) for v in args)))
    if args:
        made.obj.args["over"] = choice(args)
    return made


def _next(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and machine.loops:
        note_iteration(machine, args[0], machine.loops[-1])
    return elements(machine, args[0], node) if args else SCALAR


def _sum(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return SCALAR
    value = elements(machine, args[0], node)
    kind, ids = argument_kind(machine, [value], {}), deep_ids(machine, value)
    if kind is None:
        return machine.unknown(node, ids, light=True) if ids else SCALAR
    return machine.tensor(kind, node, ids, "sum", light=True)


def _plain(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return SCALAR


def _container(kind: str) -> Callable[[Machine, Args, Keywords, cst.CSTNode], Value]:
    def make(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
        made = new_container(machine, kind, node)
        for name, value in keywords.items():
            machine.write((made.obj.id, f"[{name!r}]"), value)
        if args and isinstance(args[0], Ref) and kind == "dict":
            for name, value in machine.entries(args[0].obj):
                machine.write((made.obj.id, name), value)
        return made

    return make


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
            isinstance(body, cst.Call) and machine.code(body.func) in ("list", "deque")
        ):
            factory = External("builtins.list")
        elif isinstance(body, (cst.Dict,)) or (
            isinstance(body, cst.Call) and machine.code(body.func) in ("dict", "defaultdict")
        ):
            factory = External("builtins.dict")
    made.obj.args["default_factory"] = factory
    return made


def _field(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """A dataclass field: the value of a new object's attribute."""
    if "default" in keywords:
        return keywords["default"]
    factory = keywords.get("default_factory")
    return call(machine, factory, [], {}, node) if factory is not None else machine.unknown(node)


def _list(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return _passed(machine, "builtins.list", args[0], node) if args else new_list(machine, node)


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


def _record(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    obj = machine.obj("instance", node, path)
    machine.write((obj.id, "#born"), NONE)
    names = path.partition(":")[2].split(",")
    for name, value in [*zip(names, args, strict=False), *keywords.items()]:
        machine.write((obj.id, "." + name), value)
    return Ref(obj)


def _set_default_dtype(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    methods.set_default_dtype(machine, args, node)
    return NONE


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


def _getattr(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return machine.unknown(node)


def _super(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    frame = machine.frame
    bound = frame.self_value
    if isinstance(bound, Ref) and bound.obj.cls is not None:
        for base in bound.obj.cls.bases:
            if isinstance(base, Class):
                return Ref(machine.obj("super", node, bound.obj.id, cls=base.info, args={"self": bound}))
    return SCALAR


def _deepcopy(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], Ref) and args[0].obj.kind == "module":
        source = args[0].obj
        copied = machine.obj("module", node, "copy", path=source.path, cls=source.cls, name=source.name)
        machine.write((copied.id, "#born"), NONE)
        return Ref(copied)
    return args[0] if args else SCALAR


def _partial(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return args[0] if args else SCALAR


def _map(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if len(args) > 1:
        machine.put(
            made.obj, call(machine, args[0], [elements(machine, v, node) for v in args[1:]], {}, node)
        )
    return made


def _chain(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    owners: frozenset[int] = frozenset()
    for value in args:
        if isinstance(value, Params):
            owners |= value.owners
        machine.put(made.obj, elements(machine, value, node))
    return Params(owners) if owners else made


def _prepared(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return args[0] if len(args) == 1 else Items(tuple(args))


def _deepspeed(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    engine = Ref(machine.obj("engine", node, "deepspeed", path="deepspeed"))
    return Items(
        (engine, Unknown(NO_IDS, machine.number("deepspeed optimizer", id(node)), "data"), SCALAR, SCALAR)
    )


def _variable(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if truth(keywords.get("requires_grad", Const(False))) is True:
        machine.trace.wants_grad = True
        return machine.tensor(Kind.GRAPH, node, ids_of(args[0]) if args else NO_IDS, "leaf")
    return args[0] if args else Tensor(Kind.DETACHED)


def _parameter(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if truth(keywords.get("requires_grad", Const(True))) is False:
        return Tensor(Kind.DETACHED)
    return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")


def _minmax(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    value: Value = SCALAR
    for arg in args:
        value = join(value, elements(machine, arg, node) if len(args) == 1 else arg)
    return value


def _open(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    return Scalar("file")


_SPECIAL: dict[str, Callable[[Machine, Args, Keywords, cst.CSTNode], Value]] = {
    "torch.set_grad_enabled": _set_grad_enabled,
    "torch.autograd.grad": _autograd_grad,
    "torch.autograd.backward": _autograd_backward,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.autograd.Variable": _variable,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "itertools.zip_longest": _zip,
    "builtins.next": _next,
    "builtins.sum": _sum,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": _getattr,
    "builtins.list": _list,
    "collections.namedtuple": _namedtuple,
    "torch.set_default_dtype": _set_default_dtype,
    "torch.set_default_tensor_type": _set_default_dtype,
    "dataclasses.field": _field,
    "builtins.hasattr": _hasattr,
    "torch.is_tensor": _is_tensor,
    "builtins.super": _super,
    "builtins.map": _map,
    "builtins.max": _minmax,
    "builtins.min": _minmax,
    "builtins.open": _open,
    "builtins.dict": _container("dict"),
    "collections.OrderedDict": _container("dict"),
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
            "builtins.any", "builtins.all", "builtins.callable", "builtins.divmod", "builtins.setattr",
        ),
        _plain,
    ),
}  # fmt: skip


def _method(machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    result = methods.call_method(machine, func, args, keywords, node, call)
    return result if result is not None else _unseen(machine, func.name, args, keywords, node)
