"""The blocks of a model that repeat, and their forward passes run twice instead of kept for backward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

LEAST = 3
"""Modules of one form from which they are blocks that repeat."""

PARTS = 2
"""Modules with parameters of their own within a block: a single layer is none."""

LIBRARIES = {
    "gradient_checkpointing_enable": "model.gradient_checkpointing_enable()",
    "enable_gradient_checkpointing": "model.enable_gradient_checkpointing()",
}
"""Methods of transformers' and diffusers' models that checkpoint their blocks, and how they are called."""

BY_HAND = "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False) for block(x)"
"""How the blocks of another model are checkpointed."""

_CONTAINERS = (torch.nn.ModuleList, torch.nn.ModuleDict)


def blocks_of(model: Any) -> list[Any]:
    """The modules within a model of which several have the same form, the outermost of them."""
    forms = {id(module): _form(module) for module in _below(model)}
    counts = Counter(form for form in forms.values() if form)
    wanted = {form for form, count in counts.items() if count >= LEAST}
    while True:
        found = _outermost(model, forms, wanted)
        # One that repeats within other blocks only is none where it stands alone.
        there = Counter(forms[id(module)] for module in found)
        alone = {form for form, count in there.items() if count < LEAST}
        if not alone:
            return found
        wanted -= alone


def _outermost(model: Any, forms: dict[int, Any], wanted: set[Any]) -> list[Any]:
    found: list[Any] = []
    pending = list(model.children())
    seen: set[int] = set()
    while pending:
        module = pending.pop(0)
        if id(module) in seen:
            continue
        seen.add(id(module))
        if forms[id(module)] in wanted:
            found.append(module)
        else:
            pending[:0] = module.children()
    return found


def in_words(blocks: list[Any]) -> str:
    """Blocks by their class: "12 Block", "8 BasicBlock and 3 Up"."""
    counts = Counter(type(module).__name__ for module in blocks)
    return " and ".join(f"{count} {name}" for name, count in counts.most_common())


def library_method(model: Any) -> tuple[Any, str]:
    """The outermost part of a model that can checkpoint its blocks itself, and its method; None and ""."""
    for module in model.modules():
        for name in LIBRARIES:
            if callable(getattr(module, name, None)) and _supports(module):
                return module, name
    return None, ""


def run_twice(model: Any) -> None:
    """Checkpoint the blocks of a model from now on, where it trains."""
    module, name = library_method(model)
    if module is not None:
        _enable(getattr(module, name))
        return
    for block in blocks_of(model):
        block.forward = partial(_checkpointed, block, block.forward)


def _checkpointed(block: Any, forward: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if not (block.training and torch.is_grad_enabled()):
        return forward(*args, **kwargs)
    return checkpoint(forward, *args, use_reentrant=False, **kwargs)


def _enable(method: Callable[..., Any]) -> None:
    try:
        method(gradient_checkpointing_kwargs={"use_reentrant": False})
    except TypeError:
        method()


def _supports(module: Any) -> bool:
    flags = ("supports_gradient_checkpointing", "_supports_gradient_checkpointing")
    return any(getattr(module, flag, False) for flag in flags)


def _below(model: Any) -> Iterator[Any]:
    return (module for module in model.modules() if module is not model)


def _form(module: Any) -> Any:
    """What two modules have in common that are two of a kind; None for one that is no block."""
    if isinstance(module, _CONTAINERS):
        return None
    holders = (part for part in module.modules() if next(part.parameters(recurse=False), None) is not None)
    if sum(1 for _ in holders) < PARTS:
        return None
    if type(module) is torch.nn.Sequential:
        # A stage of several blocks is none itself.
        stage = any(_form(part) is not None for part in module)
        return None if stage else (torch.nn.Sequential, *(type(part) for part in module))
    return (type(module),)
