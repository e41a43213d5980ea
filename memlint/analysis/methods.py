"""Methods of what is not a class of the file: tensors, modules, optimizers, scalers, containers."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis import guesses
from memlint.analysis import libraries as lib
from memlint.analysis.containers import as_old_as, elements, entry, graded, keep, new_container
from memlint.analysis.facts import Step, Zero
from memlint.analysis.machine import CONTENT, Machine, deep_ids, owners_in
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Choice,
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
    join,
    kind_of,
    options_of,
    truth,
)

Args = list[Value]
Keywords = dict[str, Value]
Call = Callable[[Machine, Value, Args, Keywords, cst.CSTNode], Value]


def retains(keywords: Keywords) -> bool:
    """Whether a backward with these keywords leaves saved tensors of the graph alive."""
    flags = ("retain_graph", "create_graph", "inputs", "retain_variables")
    return any(
        truth(keywords[name]) is not False for name in flags if name in keywords and keywords[name] != NONE
    )


def call_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode, call: Call
) -> Value | None:
    """The result of `owner.name(...)`; None when nothing is known of such a method."""
    owner, name = func.owner, func.name
    if name in ("backward", "manual_backward"):
        return _backward(machine, owner, args, keywords, node)
    if name in ("zero_grad", "optimizer_zero_grad", "clear_grad", "clear_gradients"):
        return _zero(machine, func, node)
    if name in ("zero_", "fill_", "mul_") and ".grad." in func.code:
        zero_parameters(machine, node, NO_IDS)
        return SCALAR
    if name in ("__enter__", "enter_context"):
        return _enter(machine, owner, args)
    if isinstance(owner, Ref):
        return _object_method(machine, func, owner, args, keywords, node, call)
    if isinstance(owner, Tensor):
        return _tensor_method(machine, owner, name, args, keywords, node)
    if isinstance(owner, Params):
        return _params_method(machine, owner, name, args)
    if isinstance(owner, (Const, Scalar)):
        return SCALAR
    if isinstance(owner, Items):
        return SCALAR
    return _unknown_method(machine, func, args, keywords, node)


def _enter(machine: Machine, owner: Value, args: Args) -> Value:
    """A grad context entered by hand or through an ExitStack holds until further notice."""
    for value in (owner, *args):
        if isinstance(value, Context) and machine.state is not None:
            machine.state.grad = value.grad
            machine.sticky_grad = True
    return args[0] if args else owner


# --- backward, step, zero_grad ------------------------------------------------------------------


def _backward(machine: Machine, owner: Value, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    by_engine = (
        isinstance(owner, Ref)
        or (isinstance(owner, Method) and args)
        or (isinstance(owner, Unknown) and args and kind_of(args[0]) is not None)
    )
    root = args[0] if by_engine and args else owner
    keeps_graph = retains(keywords)
    if not by_engine and len(args) > 1 and truth(args[1]) is not False:
        keeps_graph = True
    managed = isinstance(owner, Ref) and owner.obj.kind == "engine"
    machine.backward(node, root, retains=keeps_graph, fills=not (managed and owner.obj.path == "deepspeed"))  # type: ignore[union-attr]
    return NONE


def _zero(machine: Machine, func: Method, node: cst.CSTNode) -> Value:
    owner = func.owner
    target: Obj | None = None
    owners: frozenset[int] = NO_IDS
    if isinstance(owner, Ref):
        target = owner.obj
    elif isinstance(owner, Params):
        owners = owner.owners
    elif func.name != "optimizer_zero_grad":
        target = _guessed_optimizer(machine, func)
    event = Zero(node=node, frame=machine.frame, loops=machine.loops, target=target, owners=owners)
    machine.record(machine.trace.zeros, event, target.id if target else 0)  # type: ignore[arg-type]
    return NONE


def zero_parameters(machine: Machine, node: cst.CSTNode, owners: frozenset[int]) -> None:
    """Gradients of loose parameters were cleared: `p.grad = None`, `p.grad.zero_()`."""
    event = Zero(node=node, frame=machine.frame, loops=machine.loops, target=None, owners=owners)
    machine.record(machine.trace.zeros, event)  # type: ignore[arg-type]


def _guessed_optimizer(machine: Machine, func: Method) -> Obj | None:
    """An object for `self.optimizers["D"]` and the like, known by its code only."""
    code = func.code.rpartition(".")[0] or func.code
    return machine.obj("optimizer", None, "code", code, name=code, guessed=True)


def step(
    machine: Machine,
    optimizer: Obj,
    node: cst.CSTNode,
    code: str,
    args: Args,
    call: Call | None,
    *,
    scaler: bool = False,
) -> Value:
    """`optimizer.step()`: run a closure if one is given, then note the step."""
    result: Value = NONE
    for arg in args:
        if isinstance(arg, Function) and call is not None:
            result = call(machine, arg, [], {}, node)
    _note_half_step(machine, optimizer)
    event = Step(
        node=node,
        frame=machine.frame,
        loops=machine.loops,
        optimizer=optimizer,
        code=code,
        through_scaler=scaler,
        fresh=_fresh(machine, optimizer),
    )
    machine.record(machine.trace.steps, event)  # type: ignore[arg-type]
    return result


def _fresh(machine: Machine, optimizer: Obj) -> frozenset[int]:
    """The running loops in whose present iteration the optimizer and its modules were made."""
    assert machine.state is not None
    owners = {optimizer.id} | owners_in(machine, optimizer.args.values())
    found = {loop.id for loop in machine.loops}
    for owner in owners:
        slot = machine.state.vars.get((owner, "#born"))
        if slot is not None:
            found &= {loop.id for loop in slot[1]}
        elif owner == optimizer.id:
            return NO_IDS
    return frozenset(found)


def _note_half_step(machine: Machine, optimizer: Obj) -> None:
    """Remember steps on modules whose parameters are in half precision now."""
    if machine.quiet or machine.state is None:
        return
    owners = set(owners_in(machine, optimizer.args.values()))
    if optimizer.guessed:
        owners = {o for number, o in machine.trace.half_outputs.items() if number in machine.state.reached}
    for owner in owners:
        if truth(machine.read((owner, "#frozen")) or Const(False)) is True:
            continue
        for dtype, cast in precision_of(machine, owner):
            machine.trace.half_steps.setdefault((cast, owner), (dtype, optimizer))


# --- tensors ----------------------------------------------------------------------------------


def _tensor_method(
    machine: Machine, owner: Tensor, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    if name == "numpy":
        # It raises for a tensor that requires grad: in code that runs, there is no graph.
        machine.trace.graphless |= machine.ancestors(owner.ids)
    if name in lib.SCALAR_METHODS:
        return SCALAR
    if name in lib.DETACH_METHODS:
        return Tensor(Kind.DETACHED)
    if name in lib.INDEX_METHODS:
        return Tensor(Kind.INDEX)
    if name in ("requires_grad_", "retain_grad", "register_hook"):
        machine.trace.wants_grad = True
        if name == "requires_grad_" and truth(args[0] if args else Const(True)) is not False:
            return machine.tensor(Kind.GRAPH, node, owner.ids, "leaf")
        return owner
    if owner.opaque and name in ("items", "values", "keys", "get"):
        return _opaque_members(machine, owner, name, args, node)
    if owner.kind is Kind.INDEX and name in (
        "float",
        "double",
        "half",
        "mean",
        "div",
        "type",
        "to",
        "bfloat16",
    ):
        return Tensor(Kind.DETACHED)
    kind, ids = owner.kind, owner.ids
    for arg in (*args, *keywords.values()):
        kind = max(kind, kind_of(arg) or Kind.INDEX)
        ids |= deep_ids(machine, arg)
    if kind < Kind.MAYBE and any(isinstance(o, Unknown) for a in args for o in options_of(a)):
        return machine.unknown(node, ids)
    opaque = owner.opaque and name in ("to", "cpu", "cuda", "clone", "contiguous")
    result = machine.tensor(
        graded(machine, kind), node, ids, name, light=name in lib.LIGHT_METHODS, opaque=opaque
    )
    if name in ("to", "cpu", "cuda", "type", "contiguous"):
        result = machine.tensor(kind, node, ids, name, light=True, opaque=opaque)
    if name in lib.PAIR_METHODS and (args or "dim" in keywords or name in ("topk", "sort")):
        return Items((result, Tensor(Kind.INDEX)))
    return result


def _opaque_members(machine: Machine, owner: Tensor, name: str, args: Args, node: cst.CSTNode) -> Value:
    if name == "keys":
        return SCALAR
    member = machine.tensor(owner.kind, node, owner.ids, "member", light=True, opaque=True)
    if name == "items":
        made = new_container(machine, "list", node)
        machine.put(made.obj, Items((SCALAR, member)))
        return made
    return member


# --- parameters -------------------------------------------------------------------------------


def _params_method(machine: Machine, owner: Params, name: str, args: Args) -> Value:
    if name == "requires_grad_":
        frozen = truth(args[0] if args else Const(True)) is False
        _freeze(machine, owner.owners, frozen)
        return owner
    if name in lib.SCALAR_METHODS:
        return SCALAR
    if name in ("detach", "clone", "cpu", "to", "float", "cuda"):
        return (
            Tensor(Kind.DETACHED)
            if name == "detach" or (machine.state and machine.state.grad == "off")
            else owner
        )
    if name in ("values", "items"):
        return owner if name == "values" else Items((SCALAR, owner))
    if machine.state is not None and machine.state.grad == "off":
        return Tensor(Kind.DETACHED)
    return Tensor(Kind.GRAPH, NO_IDS)


def set_parameter(machine: Machine, owner: Params, name: str, value: Value, node: cst.CSTNode) -> None:
    """`p.requires_grad = False` and `p.grad = None` on parameters of modules."""
    if name == "requires_grad":
        _freeze(machine, owner.owners, truth(value) is False)
    elif name == "grad":
        zero_parameters(machine, node, owner.owners)
    elif name == "data" and not machine.quiet:
        # Parameters swapped by hand: float32 masters live elsewhere.
        machine.trace.raised |= owner.owners


def _freeze(machine: Machine, owners: frozenset[int], frozen: bool) -> None:
    for number in owners:
        machine.write((number, "#frozen"), Const(frozen))


# --- objects ----------------------------------------------------------------------------------


def _object_method(
    machine: Machine, func: Method, owner: Ref, args: Args, keywords: Keywords, node: cst.CSTNode, call: Call
) -> Value | None:
    obj, name = owner.obj, func.name
    if obj.kind == "super":
        return _super_method(machine, obj, name, args, keywords, node, call)
    if name == "__call__":
        return call(machine, owner, args, keywords, node)
    if obj.kind in ("list", "dict"):
        return _container_method(machine, obj, func, args, keywords, node)
    if obj.kind in ("module", "loss"):
        return _module_method(machine, owner, func, args, keywords, node, call)
    if obj.kind == "optimizer" and name == "step":
        return step(machine, obj, node, func.code.rpartition(".")[0], args + list(keywords.values()), call)
    if obj.kind == "optimizer":
        return SCALAR
    if obj.kind == "scaler":
        return _scaler_method(machine, name, args, node, call)
    if obj.kind == "engine":
        return _engine_method(machine, func, args, keywords, node)
    if obj.kind in ("parser", "namespace"):
        return (
            Ref(machine.obj("namespace", node))
            if name.startswith("parse")
            else owner
            if obj.kind == "parser"
            else SCALAR
        )
    if name in ("to", "cuda", "cpu"):
        return owner
    if obj.kind in ("loader", "dataset") and name in (
        "train_test_split",
        "map",
        "with_format",
        "shuffle",
        "__iter__",
        "select",
    ):
        return owner
    return None


def _super_method(
    machine: Machine, obj: Obj, name: str, args: Args, keywords: Keywords, node: cst.CSTNode, call: Call
) -> Value | None:
    found = obj.cls.find(name) if obj.cls is not None else None
    if found is None:
        return NONE
    return call(machine, Function(found[0], found[1], obj.args["self"]), args, keywords, node)


def _container_method(
    machine: Machine, obj: Obj, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    name = func.name
    target = func.code.rpartition(".")[0]
    value_node = _first_argument(node, 1 if name in ("insert", "setdefault") else 0)
    if name in ("append", "appendleft", "add", "insert", "put", "push"):
        value = args[-1] if args else SCALAR
        keep(machine, "store", node, (obj.id, CONTENT), target, value, value_node, obj=obj)
        machine.put(obj, value)
        return NONE
    if name in ("extend", "update", "extendleft"):
        return _extend(machine, obj, target, args, keywords, node, value_node)
    if name == "clear":
        for key, _ in machine.entries(obj):
            if machine.state is not None and key.startswith("["):
                machine.state.vars.pop((obj.id, key))
        machine.write((obj.id, "#born"), NONE)
        return NONE
    if name in ("items", "values", "keys", "copy", "get", "pop", "popleft", "setdefault", "popitem"):
        return _read_container(machine, obj, name, args, node)
    return SCALAR


def _first_argument(node: cst.CSTNode, position: int) -> cst.CSTNode:
    if isinstance(node, cst.Call) and len(node.args) > position:
        return node.args[position].value
    return node


def _extend(
    machine: Machine,
    obj: Obj,
    target: str,
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
    value_node: cst.CSTNode,
) -> Value:
    for value in args:
        if obj.kind == "dict" and isinstance(value, Ref):
            for name, inner in machine.entries(value.obj):
                machine.write((obj.id, name), inner)
            continue
        inner = elements(machine, value, node)
        keep(machine, "store", node, (obj.id, CONTENT), target, inner, value_node, obj=obj)
        machine.put(obj, inner)
    for name, value in keywords.items():
        machine.write((obj.id, f"[{name!r}]"), value)
    return NONE


def _read_container(machine: Machine, obj: Obj, name: str, args: Args, node: cst.CSTNode) -> Value:
    if name in ("keys", "popitem"):
        return SCALAR
    if name == "copy":
        return Ref(obj)
    if name in ("get", "setdefault"):
        fallback = args[1] if len(args) > 1 else NONE
        if name == "setdefault" and machine.content(obj) is None:
            machine.put(obj, fallback)
            if isinstance(fallback, Ref):
                as_old_as(machine, fallback.obj, obj)
        return (
            join(entry(machine, obj, args[0] if args else SCALAR, node), fallback)
            if name == "get"
            else entry(machine, obj, SCALAR, node)
        )
    if name in ("pop", "popleft"):
        return entry(machine, obj, args[0] if args else SCALAR, node)
    values = [v for key, v in machine.entries(obj) if key.startswith("[")]
    made = new_container(machine, "list", node, name)
    every = choice(values) if values else SCALAR
    machine.put(made.obj, Items((SCALAR, every)) if name == "items" else every)
    return made


def _module_method(
    machine: Machine, owner: Ref, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode, call: Call
) -> Value | None:
    obj, name, state = owner.obj, func.name, machine.state
    assert state is not None
    if name in ("eval", "train"):
        evaluating = name == "eval" or (bool(args) and truth(args[0]) is False)
        # Whatever is put back into training mode ends the evaluation.
        state.evals = state.evals | {obj.id} if evaluating else frozenset()
        return owner
    if name == "requires_grad_":
        _freeze(machine, frozenset((obj.id,)), truth(args[0] if args else Const(True)) is False)
        return owner
    if name in lib.DEVICE_MOVES:
        note_lowering(machine, obj, name, args, keywords, node)
        return owner
    if name in ("parameters", "buffers"):
        return Params(frozenset((obj.id,))) if name == "parameters" else Tensor(Kind.DETACHED)
    if name in ("named_parameters", "named_buffers"):
        made = new_container(machine, "list", node)
        machine.put(
            made.obj,
            Items(
                (
                    SCALAR,
                    Params(frozenset((obj.id,)), single=True)
                    if name == "named_parameters"
                    else Tensor(Kind.DETACHED),
                )
            ),
        )
        return made
    if name in ("values", "unwrap", "merge_and_unload"):
        return owner
    if name in ("modules", "children", "named_modules", "named_children", "items", "get_submodule"):
        part = Ref(machine.obj("module", node, "part", obj.id, args={"of": owner}))
        if name == "get_submodule":
            return part
        made = new_container(machine, "list", node)
        machine.put(made.obj, part if name in ("modules", "children") else Items((SCALAR, part)))
        return made
    if name in ("forward",):
        return call(machine, owner, args, keywords, node)
    if name in ("state_dict", "load_state_dict", "register_buffer", "register_forward_hook", "size", "dim"):
        return Tensor(Kind.DETACHED, NO_IDS, opaque=True) if name == "state_dict" else SCALAR
    linked = _by_name(machine, func) if obj.guessed else None
    if linked is not None:
        return machine.call(linked, args, keywords, node)
    if name == "step" and obj.guessed:
        return NONE
    if lib.UNSEEN_INFERENCE.match(name):
        return machine.unknown(node)
    if lib.GRAPH_METHODS.search(name):
        return call(machine, owner, args, keywords, node)
    return None


def note_lowering(
    machine: Machine, obj: Obj, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> None:
    """Remember where a module was cast to half precision (`.half()`, `.to(torch.float16)`) or back."""
    dtype = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float32"}.get(name, "")
    if name in ("to", "type"):
        dtype = _dtype((*args, *keywords.values()))
    if dtype:
        _set_dtype(machine, obj, dtype, node)


def note_precision(machine: Machine, obj: Obj, keywords: Keywords, node: cst.CSTNode) -> None:
    """Remember modules that are loaded in half precision (`from_pretrained(torch_dtype=...)`)."""
    dtype = _dtype(tuple(v for k, v in keywords.items() if k in ("dtype", "torch_dtype")))
    if dtype:
        _set_dtype(machine, obj, dtype, node)


def _set_dtype(machine: Machine, obj: Obj, dtype: str, node: cst.CSTNode) -> None:
    if machine.quiet:
        return
    if dtype == "float32":
        machine.trace.raised.add(obj.id)
    machine.trace.casts[id(node)] = node
    machine.write((obj.id, "#dtype"), Const((dtype, id(node))))


def set_default_dtype(machine: Machine, args: Args, node: cst.CSTNode) -> None:
    """`torch.set_default_dtype(torch.float16)`: modules made from here on have half parameters."""
    dtype = _dtype(tuple(args))
    if machine.state is not None and not machine.quiet:
        machine.trace.casts[id(node)] = node
        machine.write((0, "#default"), Const((dtype or "float32", id(node))))


def note_default_dtype(machine: Machine, obj: Obj) -> None:
    """A module made now takes the default precision."""
    default = machine.read((0, "#default"))
    if default is not None:
        machine.write((obj.id, "#dtype"), default)


def precision_of(machine: Machine, obj_id: int) -> list[tuple[str, int]]:
    """The precisions that a module may have here, each with the key of the cast in `trace.casts`."""
    value = machine.read((obj_id, "#dtype"))
    known = [o.value for o in options_of(value) if isinstance(o, Const)] if value is not None else []
    return [cast for cast in known if isinstance(cast, tuple) and cast[0] != "float32"]


def _dtype(values: tuple[Value, ...]) -> str:
    for value in values:
        if isinstance(value, External):
            if value.path in lib.FLOAT16:
                return "float16"
            if value.path in lib.BFLOAT16:
                return "bfloat16"
            if value.path in ("torch.float32", "torch.float", "torch.float64", "torch.double"):
                return "float32"
    return ""


def _scaler_method(machine: Machine, name: str, args: Args, node: cst.CSTNode, call: Call) -> Value:
    if name == "scale" and args:
        value = args[0]
        ids = deep_ids(machine, value)
        kind = kind_of(value)
        if kind is None:
            return machine.unknown(node, ids, light=True)
        return machine.tensor(kind, node, ids, "scaled", light=True)
    if name == "step" and args:
        for option in options_of(args[0]):
            obj = (
                option.obj
                if isinstance(option, Ref)
                else machine.obj(
                    "optimizer",
                    None,
                    "code",
                    _argument_code(machine, node),
                    name=_argument_code(machine, node),
                    guessed=True,
                )
            )
            if isinstance(option, Ref) and obj.kind != "optimizer":
                continue
            step(machine, obj, node, _argument_code(machine, node), args[1:], call, scaler=True)
    return NONE


def _argument_code(machine: Machine, node: cst.CSTNode) -> str:
    return machine.code(node.args[0].value) if isinstance(node, cst.Call) and node.args else ""


def _engine_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    name = func.name
    if name in (
        "prepare",
        "setup",
        "setup_module",
        "setup_dataloaders",
        "setup_optimizers",
        "prepare_model",
        "prepare_optimizer",
        "prepare_data_loader",
    ):
        return args[0] if len(args) == 1 else Items(tuple(args))
    if name in ("gather", "gather_for_metrics", "reduce", "pad_across_processes"):
        return args[0] if args else SCALAR
    if name in ("no_grad",):
        return Context("off")
    if name in ("autocast", "accumulate", "no_sync", "step", "clip_grad_norm_"):
        return SCALAR
    if name in ("eval", "train") and machine.state is not None and isinstance(func.owner, Ref):
        machine.state.evals = machine.state.evals | {func.owner.obj.id} if name == "eval" else NO_IDS
        return func.owner
    return SCALAR if name == "parameters" else None


# --- unknown owners ---------------------------------------------------------------------------


def _unknown_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    owner, name = func.owner, func.name
    linked = _by_name(machine, func)
    if linked is not None:
        return machine.call(linked, args, keywords, node)
    if name in lib.SCALAR_METHODS or name in (
        "keys",
        "format",
        "split",
        "strip",
        "startswith",
        "endswith",
        "lower",
        "upper",
    ):
        return SCALAR
    if name in lib.DETACH_METHODS:
        return Tensor(Kind.DETACHED)
    if name in lib.INDEX_METHODS and name not in ("int", "bool"):
        return Tensor(Kind.INDEX)
    if name == "step":
        return _unknown_step(machine, func, args, node)
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
    if name in lib.LIGHT_METHODS or name in ("append", "extend", "items", "values", "get"):
        ids = deep_ids(machine, owner)
        for arg in args:
            ids |= deep_ids(machine, arg)
        if name in ("append", "extend"):
            return NONE
        kinds = [k for a in args if (k := kind_of(a)) is not None and k >= Kind.MAYBE]
        if kinds:
            return machine.tensor(graded(machine, max(kinds)), node, ids, name, light=True)
        return machine.unknown(node, ids, light=True, hint=owner.hint if isinstance(owner, Unknown) else "")
    return None


_ACTORS = frozenset(
    "agent trainer learner algo algorithm solver runner engine system experiment controller worker".split()
)


def _by_name(machine: Machine, func: Method) -> Value | None:
    """The method of the only class of the file that has one of this name: `agent.update(batch)`."""
    owner_words = func.code.rpartition(".")[0].lower().replace("_", ".").split(".")
    if func.name in lib.METHODS and not _ACTORS & set(owner_words):
        return None
    classes = [c for c in machine.classes.values() if func.name in c.info.methods]
    if len(classes) != 1 or func.name.startswith("__"):
        return None
    me = machine.specimen(classes[0])
    found = classes[0].info.find(func.name)
    return machine.decorate(Function(found[0], found[1], me), found[0]) if found is not None else None


def _unknown_step(machine: Machine, func: Method, args: Args, node: cst.CSTNode) -> Value:
    code = func.code.rpartition(".")[0]
    words = [
        w for w in code.replace("[", ".").replace("(", ".").replace("]", "").replace(")", "").split(".") if w
    ]
    if any(guesses.role(w.strip("'\"")) == "optimizer" for w in words) and not any(
        "sched" in w.lower() for w in words
    ):
        return step(
            machine,
            machine.obj("optimizer", None, "code", code, name=code, guessed=True),
            node,
            code,
            args,
            None,
        )
    return machine.unknown(node)


__all__ = [
    "Choice",
    "call_method",
    "note_lowering",
    "note_precision",
    "precision_of",
    "retains",
    "set_parameter",
    "step",
    "zero_parameters",
]
