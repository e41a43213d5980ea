"""Functions and constructors of torch and the libraries around it."""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from memlint.analysis.facts import Event
from memlint.analysis.interpret.containers import elements, graded, new_list
from memlint.analysis.interpret.contents import (
    argument_ids,
    argument_kind,
    has_unknown,
    owners_in,
    tensors_in,
    weights_in,
)
from memlint.analysis.interpret.devices import CPU_DEVICE
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import note_default_dtype, note_precision
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge import libraries as lib
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
    Unknown,
    Value,
    kind_of,
    options_of,
    truth,
)

_DATASET_PACKAGES = (
    "torchvision.datasets.", "torch.utils.data.", "datasets.", "torchaudio.datasets", "torchtext.datasets",
)  # fmt: skip

_FROZEN_AT_FIRST = frozenset({"torch.nn.Embedding.from_pretrained", "torch.nn.EmbeddingBag.from_pretrained"})
"""What these make is frozen unless they are told otherwise (`freeze`, the second argument)."""


def constructed(
    machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value | None:
    """The heap object that a constructor of a library makes; None when `path` is none that matters."""
    if path.startswith("torch.optim.swa_utils"):
        return args[0] if args else None
    kind = _constructed_kind(path)
    if not kind or (path == "torch.hub.load" and any(map(_is_tool, args))):
        return None
    obj = machine.obj(kind, node, path, path=path)
    obj.args.update({str(i): v for i, v in enumerate(args)})
    obj.args.update(keywords)
    machine.write((obj.id, "#born"), NONE)
    if kind == "optimizer":
        # The rest are numbers, `lr=self.lr_actor`, whatever their names make of them.
        trained = [obj.args[key] for key in ("0", "params") if key in obj.args]
        obj.args["#owners"] = Params(owners_in(machine, trained or obj.args.values()))
    if kind == "engine" and _stays_on_cpu(keywords):
        machine.write((obj.id, ".device"), Scalar(CPU_DEVICE))
    if kind == "loader" and not machine.quiet:
        machine.trace.loaders[obj.id] = obj
        machine.trace.loader_calls[obj.id] = Event(node=node, frame=machine.frame, loops=machine.loops)
    if kind == "module":
        note_default_dtype(machine, obj)
        note_precision(machine, obj, keywords, node)
        if path in _FROZEN_AT_FIRST and truth(keywords.get("freeze", Const(True))) is True and len(args) < 2:
            machine.write((obj.id, "#frozen"), Const(True))
    if lib.FUNCTIONS_BESIDE.match(path) and truth(keywords.get("return_transform", Const(True))) is not False:
        functions = 2 if path.endswith("_transforms") else 1
        return Items((Ref(obj), *(machine.unknown(node) for _ in range(functions))))
    return Ref(obj)


def _is_tool(entry: Value) -> bool:
    """Whether a name on torch.hub stands for functions that prepare data: `tokenizer`, `transforms`."""
    text = entry.value if isinstance(entry, Const) else None
    return isinstance(text, str) and hints.HUB_TOOL.search(text) is not None


def handed_optimizer(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value | None:
    """The optimizer that a class makes which was handed over, `optim_cls(net.parameters(), lr=lr)`: a call on
    parameters alone, with a learning rate. None for other calls."""
    given = args[0] if args else keywords.get("params", NONE)
    whole = any(isinstance(value, Params) and not value.single for value in options_of(given))
    if "lr" not in keywords or not whole:
        return None
    obj = machine.obj("optimizer", node, "handed over", path="torch.optim.Optimizer")
    obj.args.update({str(i): v for i, v in enumerate(args)})
    obj.args.update(keywords)
    obj.args["#owners"] = Params(owners_in(machine, [given]))
    machine.write((obj.id, "#born"), NONE)
    return Ref(obj)


def _stays_on_cpu(keywords: Keywords) -> bool:
    """Whether an engine is told to use no GPU: `Accelerator(cpu=True)`, `Fabric(accelerator="cpu")`."""
    return truth(keywords.get("cpu", NONE)) is True or keywords.get("accelerator") == Const("cpu")


@lru_cache(maxsize=4096)
def _constructed_kind(path: str) -> str:
    """The kind of heap object that a library's constructor makes by `knowledge.libraries`, "" for none."""
    if lib.LOADER_PATHS.match(path):
        return "loader"
    if lib.OPTIMIZER_PATHS.match(path):
        return "optimizer"
    if lib.SCALER_PATHS.search(path):
        return "scaler"
    if lib.LOSS_PATHS.match(path):
        return "loss"
    if lib.MODEL_PATHS.match(path) or _is_layer(path) or lib.AUDIO_TRANSFORMS.match(path):
        return "module"
    if lib.ENGINE_PATHS.match(path):
        return "engine"
    if path.startswith(_DATASET_PACKAGES) and _is_class(path) and not path.endswith("Sampler"):
        return "dataset"
    return "parser" if path.endswith("ArgumentParser") else ""


def _is_layer(path: str) -> bool:
    """Whether a path is a module class of `torch.nn` itself."""
    if path in _FROZEN_AT_FIRST:
        return True
    if not path.startswith("torch.nn.") or not _is_class(path) or lib.TRANSPARENT_WRAPPERS.match(path):
        return False
    return not any(part in path for part in (".functional.", ".Parameter", ".utils.", ".init."))


def _is_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def tensor_read(path: str) -> Value | None:
    """What a reader of torch's own libraries gives; None for any other function."""
    if lib.IMAGE_READERS.match(path):
        return Tensor(Kind.INDEX)
    return Items((Tensor(Kind.DETACHED), SCALAR)) if lib.SOUND_READERS.match(path) else None


def passed_through(machine: Machine, path: str, value: Value, node: cst.CSTNode) -> Value:
    """The result of `tqdm(x)`, `list(x)` and the like, which run through what they are given."""
    if path.startswith("builtins.") and isinstance(value, (Items, Scalar, Const)):
        made = new_list(machine, node)
        if isinstance(value, Items):
            for item in value.items:
                machine.put(made.obj, item)
        return made
    if path in ("builtins.list", "builtins.sorted", "builtins.tuple") and isinstance(value, Ref):
        machine.trace.collected.add(value.obj.id)
    if path in ("builtins.list", "builtins.sorted") and isinstance(value, Ref) and value.obj.kind == "list":
        made = new_list(machine, node)
        machine.put(made.obj, elements(machine, value, node))
        return made
    return value


def torch_function(machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The result of a function of the torch namespace, by its name and arguments."""
    name = path.rpartition(".")[2]
    if name in lib.SCALAR_FUNCTIONS:
        return SCALAR
    if name in lib.FACTORIES and path.count(".") <= 2:
        return _new_tensor(machine, name, args, keywords, node)
    if name in lib.INDEX_FUNCTIONS:
        return Tensor(Kind.INDEX)
    if name == "detach":
        return Tensor(Kind.DETACHED)
    if path in ("torch.load", "torch.hub.load_state_dict_from_url"):
        return machine.unknown(node)
    result = _computed(machine, name, args, keywords, node)
    pair = name in lib.PAIR_METHODS and (len(args) > 1 or "dim" in keywords)
    elementwise = len(args) == 2 and kind_of(args[1]) not in (None, Kind.INDEX)
    if pair and not elementwise and isinstance(result, Tensor):
        return Items((result, Tensor(Kind.INDEX)))
    return result


def _new_tensor(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """What `torch.zeros(...)` and the like give: no graph unless `requires_grad` is set."""
    if truth(keywords.get("requires_grad", Const(False))) is not False:
        machine.trace.wants_grad = True
        return machine.tensor(Kind.GRAPH, node, NO_IDS, "leaf")
    if name in lib.INTEGER_FACTORIES:
        return Tensor(Kind.INDEX)
    if name == "as_tensor" and args and kind_of(args[0]) is not None:
        return args[0]
    return Tensor(Kind.DETACHED)


def _joins_unknown(machine: Machine, name: str, args: Args) -> bool:
    """Whether results of calls out of view are joined, which a list holds: `torch.cat(parts)`. What joins
    them to a tensor that has no graph is a tensor, and most likely without one."""
    held = tensors_in(machine, args[0]) if args and name in lib.JOINING else []
    unknown = frozenset(n for value in held if isinstance(value, Unknown) for n in value.ids)
    if not unknown or any(isinstance(value, Tensor) for value in held):
        return False
    trace = machine.trace
    unseen = (machine.inferred, trace.maybe_detached, trace.given_callables.keys())
    behind = trace.ancestors(unknown)
    return any(not behind.isdisjoint(results) for results in unseen)


def _computed(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """The result of a function that computes: a graph when an argument has one."""
    kind = argument_kind(machine, args, keywords)
    ids = argument_ids(machine, args, keywords)
    # What changes parameters in place, `clip_grad_norm_(model.parameters(), 1.0)`, computes nothing of them.
    ids |= weights_in(machine, args, node) if not name.endswith("_") and "grad" not in name else NO_IDS
    light = name in lib.LIGHT_METHODS or name in ("stack", "cat")
    if kind is not None and kind >= Kind.MAYBE:
        pointwise = name in lib.ELEMENTWISE
        return machine.tensor(
            graded(machine, kind), node, ids, name, lightweight=light, elementwise=pointwise
        )
    if has_unknown([*args, *keywords.values()]) or _joins_unknown(machine, name, args):
        if kind is None:
            return machine.unknown(node, ids, lightweight=light)
        if ids:
            return machine.unknown(node, ids)
    return Tensor(kind if kind is not None else Kind.DETACHED)
