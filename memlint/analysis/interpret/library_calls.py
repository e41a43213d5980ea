"""Functions and constructors of torch and the libraries around it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis import libraries as lib
from memlint.analysis.interpret.containers import elements, graded, new_list
from memlint.analysis.interpret.contents import argument_ids, argument_kind, has_unknown, owners_in
from memlint.analysis.interpret.machine import Args, Keywords, Machine
from memlint.analysis.interpret.precision import note_default_dtype, note_precision
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    Items,
    Kind,
    Params,
    Ref,
    Scalar,
    Tensor,
    Value,
    kind_of,
    truth,
)


def constructed(
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
        note_default_dtype(machine, obj)
        note_precision(machine, obj, keywords, node)
    return Ref(obj)


def _is_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def passed_through(machine: Machine, path: str, value: Value, node: cst.CSTNode) -> Value:
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


def torch_function(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
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
    ids = argument_ids(machine, args, keywords)
    if kind is None or kind < Kind.MAYBE:
        if has_unknown([*args, *keywords.values()]) and kind is None:
            return machine.unknown(node, ids, light=name in lib.LIGHT_METHODS or name in ("stack", "cat"))
        if has_unknown([*args, *keywords.values()]) and ids:
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
