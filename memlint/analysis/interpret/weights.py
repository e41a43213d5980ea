"""Modules without weights that learn: what they give has a graph only where what they are given has one."""

from __future__ import annotations

import re

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.values import (
    Class,
    ClassInfo,
    Const,
    External,
    Function,
    Items,
    Kind,
    Obj,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    options_of,
    truth,
)

_KINDS = (
    r"(Leaky|R)?ReLU6?|[CGS]?ELU|SiLU|Mish|GLU|Threshold|(Log)?Sigmoid|Tanh(shrink)?|(Log)?Softmax(2d)?"
    r"|Soft(min|plus|sign|shrink)|Hard\w+|(Feature)?(Alpha)?Dropout[123]?d?|\w+Pool[123]d|\w+Unpool[123]d"
    r"|\w+Pad[123]d|Upsample|Upsampling\w+|Unflatten|Flatten|Identity|Pixel(Uns|S)huffle|ChannelShuffle|Fold"
    r"|Unfold|CosineSimilarity|PairwiseDistance"
)
_LAYERS = re.compile(rf"^torch\.nn\.(modules\.\w+\.)?({_KINDS})$")
_FROZEN = r"Embedding(Bag)?\.from_pretrained"
_MODULE = frozenset({"torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"})
_HIDES = re.compile(r"\b(setattr|add_module|register_module|register_parameter|__dict__|\w+List|\w+Dict)\b")
_MADE = re.compile(r"(?<!def )(?<!class )\b(_?[A-Z]\w*(\.from_pretrained)?)\(")
_HARMLESS = re.compile(rf"({_KINDS}|{_FROZEN}|\w+(Error|Warning)|[A-Z])$")
_THAWED = re.compile(r"freeze\s*=\s*(?!True)")
_CALLED = re.compile(r"\bself\.(\w+)\(")
_METHODS = frozenset({"register_buffer", "eval", "train", "to", "requires_grad_", "parameters", "buffers"})
_DEEPEST = 5


def is_weightless(machine: Machine, obj: Obj, depth: int = 0) -> bool:
    """Whether a module has no weights that learn, as far as its class shows; False where it does not."""
    if obj.by_name or depth > _DEEPEST:
        return False
    if truth(machine.read((obj.id, "#frozen")) or Const(False)) is True:
        return True
    if obj.cls is None:
        return bool(_LAYERS.match(obj.path))
    if not obj.cls.ancestry() <= _MODULE:
        return False
    if obj.cls.frame.cross_module:
        return _shows_none(machine, obj.cls)
    held = [(name[1:], value) for name, value in machine.entries(obj) if name.startswith(".")]
    if not held and obj.cls.find("__init__") is not None:
        return False
    if not all(_brings_none(machine, o, depth) for _, value in held for o in options_of(value)):
        return False
    code = machine.code(obj.cls.node)
    unseen = [name for name, value in held if any(isinstance(o, Unknown) for o in options_of(value))]
    return not _HIDES.search(code) and not any(f"self.{name}(" in code for name in unseen)


def _shows_none(machine: Machine, info: ClassInfo, depth: int = 0) -> bool:
    """Whether the text of a class makes nothing with weights: constructors of other files are not run."""
    code = machine.code(info.node)
    if depth > _DEEPEST or _HIDES.search(code) or _THAWED.search(code):
        return False
    others = {made[1] for made in _MADE.finditer(code) if not _HARMLESS.match(made[1])}
    if not all(_is_weightless_class(machine, info, name, depth) for name in others):
        return False
    layer = rf"\s*=\s*[\w.]*\b({'|'.join([_KINDS, _FROZEN, *others])})\("
    unknown = {made[1] for made in _CALLED.finditer(code)} - _METHODS
    return all(info.find(name) or re.search(rf"self\.{name}{layer}", code) for name in unknown)


def _is_weightless_class(machine: Machine, info: ClassInfo, name: str, depth: int) -> bool:
    """Whether a name stands for a class without weights in the file of another class."""
    found = machine.bound(info.frame, name) if name.isidentifier() and info.frame.lexical is None else None
    if not isinstance(found, Class) or not found.info.ancestry() <= _MODULE:
        return False
    return _shows_none(machine, found.info, depth + 1)


def _brings_none(machine: Machine, value: Value, depth: int) -> bool:
    """Whether an attribute brings a module no weights."""
    if isinstance(value, Items):
        return all(_brings_none(machine, item, depth) for item in value.items)
    if isinstance(value, Ref) and value.obj.kind == "list":
        held = (v for _, v in machine.entries(value.obj))
        return all(_brings_none(machine, o, depth) for v in held for o in options_of(v))
    if isinstance(value, Ref):
        return value.obj.kind == "module" and is_weightless(machine, value.obj, depth + 1)
    if isinstance(value, Tensor):
        return value.kind < Kind.MAYBE
    return isinstance(value, (Const, Scalar, Unknown, External, Function))
