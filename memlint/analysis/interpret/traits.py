"""What results inherit beside their kind: the device, one element or many, a batch, a view of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.interpret.devices import CPU_DEVICE, PLACE, device_named, moved_to, place_of
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.selections import copies, cuts, new_part, takes_one_class, varies
from memlint.analysis.knowledge import device_hints, hints
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.traits import Trait, member_traits
from memlint.analysis.values import (
    NO_IDS,
    Choice,
    Const,
    External,
    Items,
    Kind,
    Method,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    options_of,
)
from memlint.syntax.expressions import UNKNOWN, literal

_REDUCTIONS = frozenset(
    "mean sum norm prod std var max min median amax amin nanmean nansum logsumexp all any count_nonzero "
    "nanmedian".split()
)
_PER_SAMPLE = frozenset("sum norm max min amax amin logsumexp cosine_similarity pairwise_distance".split())
_SINGLE = frozenset("dot vdot trace det logdet dist item".split())
_VIEWS = frozenset(
    "detach squeeze unsqueeze view view_as reshape t permute transpose expand expand_as swapaxes swapdims "
    "movedim adjoint detach_ squeeze_ requires_grad_".split()
)
_CASTS = frozenset("to half float double bfloat16 type contiguous clone".split())
_CUTS = frozenset("narrow select".split())
_PIECES = frozenset("chunk split tensor_split unbind".split())


def of_call(
    machine: Machine, func: Value, args: Args, keywords: Keywords, node: cst.Call, result: Value
) -> Value:
    """The result of a call to code outside the file, with what it inherits from the inputs."""
    if isinstance(func, Method):
        return _of_method(machine, func, args, keywords, node, result)
    if isinstance(func, External):
        return _of_function(machine, func.path, args, keywords, node, result)
    if isinstance(func, Ref) and func.obj.kind in ("module", "loss", "engine"):
        return _of_object(machine, func, args, keywords, result)
    if isinstance(func, Unknown) and device_hints.MOVES_TO_DEVICE.search(_called(node)):
        given = (*args, *keywords.values())
        place = _destination(given) | _gathered(machine, given) & Trait.BATCH
        return _each(result, lambda value: replace(value, traits=place))
    return result


def _destination(given: Iterable[Value]) -> Trait:
    """Where code out of view moves what it is given: to a GPU, unless it is told otherwise."""
    return Trait.CPU if any(v in (Const("cpu"), Scalar(CPU_DEVICE)) for v in given) else Trait.GPU


def _called(node: cst.Call) -> str:
    func = node.func.attr if type(node.func) is cst.Attribute else node.func
    return func.value if type(func) is cst.Name else ""


def of_operation(operands: Iterable[Value], result: Value) -> Value:
    """The result of arithmetic or a comparison."""
    found = [o for v in operands for o in options_of(v) if isinstance(o, (Tensor, Unknown))]
    traits = place_of(found) | (Trait.GATHERED & _united(found))
    if found and all(o.traits & Trait.SCALAR for o in found):
        traits |= Trait.SCALAR
    if found and all(o.traits & (Trait.SCALAR | Trait.FEW) for o in found):
        traits |= Trait.FEW
    return _each(result, lambda value: replace(value, traits=traits))


def of_selection(machine: Machine, owner: Value, index: Value, node: cst.Subscript, result: Value) -> Value:
    """The result of `owner[index]`: a member of a structure, or a view of a part of a tensor."""
    if not isinstance(owner, (Tensor, Unknown)):
        return result
    traits = member_traits(owner.traits)
    if isinstance(index, Const) and isinstance(index.value, str) and hints.LOSS_FUNCTION.search(index.value):
        traits |= Trait.SCALAR
    if takes_one_class(node):
        traits |= Trait.FEW
    dense = isinstance(owner, Tensor) and (not owner.opaque or len(node.slice) > 1)
    if isinstance(owner, Tensor) and owner.traits & Trait.PIECES and isinstance(index, Const):
        return _each(result, lambda value: _with_parts(value, traits, owner.parts))
    if isinstance(owner, Tensor) and dense and isinstance(result, Tensor):
        kept = owner.parts if not copies(machine, node) else NO_IDS
        if cuts(machine, node):
            kept = kept | {new_part(machine, node, node.value)}
        elif varies(machine, index, node):
            kept = kept | {new_part(machine, node, node.value, every=True)}
        return replace(result, traits=traits, parts=kept, opaque=False)
    return _each(result, lambda value: replace(value, traits=traits))


def of_attribute(owner: Value, name: str, result: Value) -> Value:
    """The result of `owner.name`: the same place; `.data`, `.T` and the like are views of the whole."""
    if not isinstance(owner, (Tensor, Unknown)) or result is owner:
        return result
    parts = owner.parts if isinstance(owner, Tensor) else NO_IDS
    traits = member_traits(owner.traits) | (Trait.SCALAR if hints.LOSS_FUNCTION.search(name) else Trait.NONE)
    return _each(result, lambda value: _with_parts(value, traits, parts))


def of_member(owner: Tensor | Unknown, result: Value) -> Value:
    """What unpacking a tensor or structure gives for one name."""
    parts = owner.parts if isinstance(owner, Tensor) and owner.traits & Trait.PIECES else NO_IDS
    return _each(result, lambda value: _with_parts(value, member_traits(owner.traits), parts))


def placed(machine: Machine, owner: Tensor | Unknown, value: Value) -> Value:
    """A structure after `owner[key] = value`: moved when what it takes in was."""
    if isinstance(owner, Tensor) and not owner.opaque:
        return owner
    moved = _gathered(machine, (value,)) & PLACE
    return replace(owner, traits=owner.traits | moved)


# --- calls ----------------------------------------------------------------------------------------


def _of_method(
    machine: Machine, func: Method, args: Args, keywords: Keywords, node: cst.Call, result: Value
) -> Value:
    owner, name = func.owner, func.name
    if isinstance(owner, Ref):
        return _of_object_method(machine, owner, name, args, keywords, node, result)
    if hints.GATHERS.match(name) and not isinstance(owner, Tensor) and args and not _is_record(args[0]):
        place = place_of(tensors_in(machine, args[0])) or Trait.GPU
        return _each(result, lambda value: replace(value, traits=Trait.GATHERED | place))
    if not isinstance(owner, (Tensor, Unknown)):
        return result
    moved = moved_to(machine, name, args, keywords, node)
    if moved is not None:
        whole = owner.traits & ~PLACE
        if isinstance(owner, Tensor) and owner.kind is Kind.INDEX:
            result = owner
        if isinstance(result, Tensor) and name == "cpu" and not owner.traits & Trait.BATCH:
            result = replace(result, opaque=False)
        return _each(
            result,
            lambda value: (
                replace(value, traits=whole | moved, parts=NO_IDS)
                if isinstance(value, Tensor)
                else replace(value, traits=whole | moved)
            ),
        )
    found = [owner, *(o for v in args for o in options_of(v) if isinstance(o, Tensor))]
    traits = place_of(found) | (owner.traits & (Trait.GATHERED | Trait.FEW))
    if name in _CASTS:
        traits |= owner.traits & (Trait.BATCH | Trait.MEMBER)
    if name in _PER_SAMPLE and (args or keywords):
        traits |= Trait.FEW
    if owner.traits & Trait.SCALAR or _reduces(name, args, keywords):
        traits |= Trait.SCALAR
    return _viewed(machine, owner, name, node, result, traits)


def _viewed(
    machine: Machine, owner: Tensor | Unknown, name: str, node: cst.Call, result: Value, traits: Trait
) -> Value:
    """A result with the parts that a view method hands on or makes."""
    parts = owner.parts if isinstance(owner, Tensor) and name in _VIEWS | _CUTS else NO_IDS
    base = node.func.value if type(node.func) is cst.Attribute else node
    if name in _CUTS | _PIECES and isinstance(owner, Tensor) and not (name == "split" and owner.opaque):
        parts = parts | {new_part(machine, node, base, every=_moves_on(name, node.args))}
        traits |= Trait.PIECES if name in _PIECES else Trait.NONE
    return _each(result, lambda value: _with_parts(value, traits, parts))


def _moves_on(name: str, args: Sequence[cst.Arg]) -> bool:
    """Whether a cut begins at a place that is computed: one of many, `vector.narrow(0, offset, count)`."""
    return name in _CUTS and len(args) > 1 and literal(args[1].value) is UNKNOWN


def _of_object_method(
    machine: Machine, owner: Ref, name: str, args: Args, keywords: Keywords, node: cst.Call, result: Value
) -> Value:
    obj = owner.obj
    if obj.kind == "module" and result is owner and machine.state is not None:
        moved = moved_to(machine, name, args, keywords, node)
        if moved is not None:
            machine.write((obj.id, "#device"), Const(int(moved)))
        return result
    if obj.kind == "engine" and name in ("prepare", "prepare_data_loader", "setup_dataloaders"):
        if machine.attribute(obj, "device") == Scalar(CPU_DEVICE):
            return result
        for option in (option for value in args for option in options_of(value)):
            if isinstance(option, Ref) and option.obj.kind == "loader":
                machine.write((option.obj.id, "#device"), Const(int(Trait.GPU)))
        return result
    if hints.GATHERS.match(name) and args and obj.kind in ("engine", "instance") and not _is_record(args[0]):
        place = place_of(tensors_in(machine, args[0])) or Trait.GPU
        gathered = result if isinstance(result, (Tensor, Unknown)) else args[0]
        return _each(
            gathered,
            lambda value: replace(value, traits=value.traits & Trait.SCALAR | Trait.GATHERED | place),
        )
    if obj.kind == "module" and isinstance(result, (Tensor, Unknown, Items)):
        return _of_object(machine, owner, args, keywords, result)
    return result


def _is_record(value: Value) -> bool:
    """Whether what is gathered is a tuple without a tensor: of numbers that processes tell each other."""
    return isinstance(value, Items) and not any(
        isinstance(option, Tensor) for item in value.items for option in options_of(item)
    )


def _of_function(
    machine: Machine, path: str, args: Args, keywords: Keywords, node: cst.Call, result: Value
) -> Value:
    name = path.rpartition(".")[2]
    if path == "torch.device":
        only = args[0] if args else keywords.get("type")
        return Scalar(CPU_DEVICE) if only == Const("cpu") else result
    if path.startswith("torch.distributed.") and hints.GATHERS.match(name) and len(args) > 1:
        _fill(machine, args[0], args[1], node)
        return result
    found = [t for v in (*args, *keywords.values()) for t in tensors_in(machine, v)]
    if not path.startswith("torch.") or not isinstance(result, (Tensor, Unknown, Items, Choice)):
        if device_hints.MOVES_TO_DEVICE.search(name) and found:
            place = _destination((*args, *keywords.values())) | _united(found) & Trait.BATCH
            return _each(result, lambda value: replace(value, traits=place))
        return result
    traits = place_of(found) | (_united(found) & Trait.GATHERED)
    if "device" in keywords:
        traits = traits & ~PLACE | device_named(keywords["device"], "")
    elif path in lib.HOST_FACTORIES:
        traits = traits & ~PLACE | Trait.CPU
    if _is_single(name, args, keywords, found):
        traits |= Trait.SCALAR
    if (name in _PER_SAMPLE and (len(args) > 1 or keywords)) or hints.LOSS_FUNCTION.search(name):
        traits |= Trait.FEW
    parts: frozenset[int] = NO_IDS
    first = args[0] if args else None
    if name in _VIEWS and isinstance(first, Tensor):
        parts = first.parts
    if name in _CUTS | _PIECES and isinstance(first, Tensor):
        parts = first.parts | {
            new_part(machine, node, node.args[0].value, every=_moves_on(name, node.args[1:]))
        }
        traits |= Trait.PIECES if name in _PIECES else Trait.NONE
    return _each(result, lambda value: _with_parts(value, traits, parts))


def _of_object(machine: Machine, func: Ref, args: Args, keywords: Keywords, result: Value) -> Value:
    """What a module or loss gives: on the device of its input or its own."""
    found = [t for v in (*args, *keywords.values()) for t in tensors_in(machine, v)]
    place = place_of(found)
    own = machine.read((func.obj.id, "#device"))
    if not place & Trait.GPU and own is not None:
        place = Trait.CPU if own == Const(int(Trait.CPU)) else Trait.GPU
    single = Trait.FEW if func.obj.kind == "loss" else Trait.NONE
    if func.obj.kind == "loss" and func.obj.args.get("reduction", keywords.get("reduction")) != Const("none"):
        single |= Trait.SCALAR
    _place_members(machine, result, place)
    return _each(
        result, lambda value: _with_parts(value, value.traits & Trait.SCALAR | place | single, NO_IDS)
    )


def _place_members(machine: Machine, result: Value, place: Trait, depth: int = 0) -> None:
    """Put the members of a container that a forward pass gave on the device where it ran."""
    if not isinstance(result, Ref) or depth > 2 or result.obj.kind not in ("list", "dict", "instance"):
        return
    for name, value in machine.entries(result.obj):
        if isinstance(value, Ref):
            _place_members(machine, value, place, depth + 1)
        elif name[0] in "[.":
            machine.write(
                (result.obj.id, name),
                _each(value, lambda v: replace(v, traits=v.traits & ~PLACE | place)),
                keep_birth=True,
            )


def _fill(machine: Machine, target: Value, source: Value, node: cst.Call) -> None:
    """`all_gather(box, t)` puts everybody's `t` into the list or tensor `box`."""
    given = tensors_in(machine, source)
    single = _united(given) & Trait.SCALAR
    kinds = [t.kind for t in given if isinstance(t, Tensor)]
    value = Tensor(
        max(kinds, default=Kind.DETACHED), traits=Trait.GATHERED | single | (place_of(given) or Trait.GPU)
    )
    value = replace(value, kind=min(value.kind, Kind.DETACHED))
    for option in options_of(target):
        if isinstance(option, Ref) and option.obj.kind == "list":
            machine.put(option.obj, value)
    first = node.args[0].value
    if isinstance(target, Tensor) and type(first) is cst.Name:
        machine.write((machine.frame.id, first.value), value, keep_birth=True)


# --- the parts ------------------------------------------------------------------------------------


def _each(value: Value, give: Callable[[Tensor | Unknown], Value]) -> Value:
    if isinstance(value, (Tensor, Unknown)):
        return give(value)
    if isinstance(value, Items):
        return Items(tuple(_each(v, give) for v in value.items))
    if isinstance(value, Choice):
        return Choice(tuple(_each(v, give) for v in value.options))
    return value


def _with_parts(value: Tensor | Unknown, traits: Trait, parts: frozenset[int]) -> Value:
    if isinstance(value, Unknown):
        return Unknown(value.ids, value.origin, value.hint, traits & ~Trait.PIECES)
    return Tensor(value.kind, value.ids, value.opaque, traits, parts)


def _united(values: Iterable[Tensor | Unknown]) -> Trait:
    traits = Trait.NONE
    for value in values:
        traits |= value.traits
    return traits


def _gathered(machine: Machine, values: Iterable[Value]) -> Trait:
    return _united(t for v in values for t in tensors_in(machine, v))


def _reduces(name: str, args: Args, keywords: Keywords) -> bool:
    """Whether a method without a dimension reduces to one element."""
    if name in _SINGLE:
        return True
    if name not in _REDUCTIONS or {"dim", "axis", "keepdim"} & keywords.keys():
        return False
    return not args or (name == "norm" and len(args) == 1)


def _is_single(name: str, args: Args, keywords: Keywords, found: list[Tensor | Unknown]) -> bool:
    if hints.LOSS_FUNCTION.search(name):
        return keywords.get("reduction") != Const("none")
    if name in ("tensor", "as_tensor", "scalar_tensor"):
        return bool(args) and isinstance(args[0], Const)
    if name in ("zeros", "ones", "empty", "full"):
        single = bool(args) and args[0] in (Const(1), Items(()), Items((Const(1),)))
        return single and (len(args) == 1 or name == "full")
    if _reduces(name, args[1:], keywords):
        return True
    return (
        name not in ("cat", "stack", "concat") and bool(found) and all(t.traits & Trait.SCALAR for t in found)
    )


def of_element(machine: Machine, owner: Tensor, member: Tensor, node: cst.CSTNode) -> Tensor:
    """What a loop over a tensor gives in each turn: a view of one row."""
    parts = NO_IDS
    if not owner.opaque and isinstance(node, cst.BaseExpression):
        parts = frozenset((new_part(machine, node, node, every=True),))
    return replace(member, traits=member_traits(owner.traits), parts=parts)
