"""Which changes a script would allow: seen while it runs as it is."""

from __future__ import annotations

import inspect
import os
import sys
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from types import FrameType
from typing import Any

import torch
from torch.nn import functional
from torch.utils.data import DataLoader

from memlint.runtime.child.changes import blocks, chunks
from memlint.runtime.child.changes.batches import Numbered
from memlint.runtime.child.changes.means import is_mean, mark_mean
from memlint.runtime.child.changes.optimizers import EIGHT_BIT, Made, untrained
from memlint.runtime.child.changes.places import Places
from memlint.runtime.child.changes.switches import Switches
from memlint.runtime.child.private import BATCH_NORMS, inner_tensors, storage_key, version, wrap_backward
from memlint.session import Lines, Offer
from memlint.units import plural

BATCH_NORM = "BatchNorm"
UNCOUNTED = "uncounted rows"
"""A caution: a mean over rows that do not all count, or not as much (`ignore_index`, weights of classes)."""

NO_MEAN = "no mean"
"""A caution: a loss whose graph is not seen to be a mean over the items of a batch."""

KEEPS = "kept state"
"""A caution: a forward pass changes buffers or frozen weights of its model: averages, queues."""

COMPARES, IN_TURN, BY_HAND = "compares", "in turn", "by hand"
"""Why batches are to stay whole: the loss compares their items, several optimizers have gradients of their
own from one batch, and no optimizer of torch makes the steps."""

_LOW = (torch.float16, torch.bfloat16)

_AVERAGING = ("DistributedDataParallel", "FullyShardedDataParallel")
"""Classes that have gradients averaged over ranks behind what autograd leaves."""


ALLOCATOR = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
"""Variables with settings of torch's allocator: where a script has some, they are taken for meant."""

TRAINER = "transformers.trainer"
"""The module whose Trainer takes many changes as arguments."""

IGNORED = -100
"""The default of `ignore_index` in torch's losses."""

LOOKED_AT = 4
"""Steps in which models and optimizers are looked at: after them they stay what they are."""


@dataclass(frozen=True, slots=True)
class _Model:
    """What was seen of a model that trains on a GPU: it may be gone when it is asked for.

    `blocks` are those that repeat, in words, and `method` how it checkpoints them itself.
    """

    blocks: str
    method: str
    batch_norm: bool
    low: bool


class Watch:
    """Looks at the forward passes, optimizers and loaders of a run.

    `name` is the path of a file as reports show it, "" for a file that is not the project's.
    """

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._places = Places(name)
        self._switches = Switches(self._places.here)
        self._lines: dict[int, Lines] = {}
        self._made = Made()
        self._loaders = Numbered()
        self._models: dict[int, weakref.ref[Any]] = {}
        self._passes: list[tuple[weakref.ref[Any], int]] = []
        self._numbers: dict[int, int] = {}
        self._fed: set[int] = set()
        self._seen: set[str] = set()
        self._frozen: dict[int, list[int]] = {}
        self._stepped: dict[int, type] = {}
        self._sharded = False
        self._known: dict[int, _Model] = {}
        self._look_before: Callable[..., Any] = self._before_backward
        self._gave_up = False
        self._steps = 0
        self._backwards = 0
        self._alone = True
        self._summed = 1
        self._logits: tuple[int, int] | None = None
        self._compares = False
        self._uncounted = False
        self._no_mean = False
        self._keeps = False
        self._before: list[tuple[weakref.ref[Any], dict[str, tuple[int, int]]]] = []
        self._stepping: set[int] = set()
        self._stepped_before: set[int] = set()
        self._in_turn = False
        self._by_trainer = False

    def install(self, guard: Callable[..., Callable[..., Any]]) -> None:
        """Look from now on; `guard` keeps what fails in a hook from the script, and `gone` is called then."""
        self._look_before = guard(self._before_backward, gone=self._give_up)
        self._made.install()
        self._loaders = Numbered(self._number)
        self._loaders.install()
        self._watch_passes()
        wrap_backward(self._around)
        for owner, name in (
            (torch.utils.checkpoint, "checkpoint"),
            (torch.utils.checkpoint, "checkpoint_sequential"),
            (torch.autograd.graph.saved_tensors_hooks, "__init__"),
            (torch.amp.GradScaler, "scale"),
            (torch.nn.utils, "clip_grad_norm_"),
            (torch.nn.utils, "clip_grad_value_"),
        ):
            self._notice(owner, name)
        self._switches.install()
        self._watch_losses()

    def enter(self, module: Any) -> None:
        """A forward pass that trains begins."""
        if id(module) not in self._models:
            if not any(parameter.requires_grad for parameter in module.parameters()):
                return
            self._models[id(module)] = weakref.ref(module)
        if self._steps < LOOKED_AT and not self._keeps:
            self._before.append((weakref.ref(module), kept_state(module)))
        self._places.begins()
        self._switches.begins()

    def stepped(self, optimizer: Any) -> None:
        """An optimizer makes a step."""
        if id(optimizer) not in self._stepped:
            parameters = (p for group in optimizer.param_groups for p in group["params"])
            self._sharded = self._sharded or any(map(inner_tensors, parameters))
        self._stepped[id(optimizer)] = type(optimizer)
        if self._backwards:
            self._in_turn = self._in_turn or self._stepped_before not in (set(), self._stepping)
            self._stepped_before, self._stepping = self._stepping, set()
        self._stepping.add(id(optimizer))
        # Gradients that are summed, or shared by optimizers, cannot be used up one by one.
        self._alone = self._alone and self._backwards == 1
        self._summed = max(self._summed, self._backwards)
        self._backwards = 0
        self._steps += 1
        if self._steps <= LOOKED_AT:
            self._look_around()
            self._by_trainer = self._by_trainer or _runs(TRAINER, sys._getframe(1))
        for model in self._alive() if self._steps <= LOOKED_AT else ():
            left = untrained(model, self._made)
            self._frozen[id(model)] = [p.numel() * p.element_size() for p in left if p.grad is not None]

    def offers(self) -> tuple[Offer, ...]:
        """The changes, of those that memlint can make."""
        models = list(self._known.values())
        if not models or self._gave_up:
            return ()
        cautions = (BATCH_NORM,) if any(model.batch_norm for model in models) else ()
        found: list[Offer | None] = [*self._other_states(), self._in_backward(), self._freezing()]
        if not self._seen & {"checkpoint", "checkpoint_sequential"}:
            found.append(self._checkpoint(models, cautions))
        if "saved_tensors_hooks" not in self._seen and "checkpoint" not in self._seen:
            found.append(Offer("offload", regions=self._places.regions()))
        if not self._switches.on and not any(model.low for model in models):
            switch = self._switches.offer()
            found.append(switch if switch is not None else Offer("autocast", regions=self._places.regions()))
        if not any(os.environ.get(name) for name in ALLOCATOR):
            found.append(Offer("expandable"))
        if self._logits is not None:
            classes, rows = self._logits
            found.append(Offer("chunked-loss", f"{classes:,} classes for {rows:,} rows"))
        regions = self._places.regions()
        if self._uncounted:
            cautions = (*cautions, UNCOUNTED)
        elif self._no_mean:
            cautions = (*cautions, NO_MEAN)
        if self._keeps:
            cautions = (*cautions, KEEPS)
        if len(regions) == 1 and not self._compares:
            found.append(Offer("parts", cautions=cautions, regions=regions, batches=self._places.batches()))
        if self._by_trainer:
            found.append(Offer("trainer"))
        if self._summed > 1:
            found.append(Offer("micro-batches", str(self._summed)))
        found.append(self._items())
        if (why := self._stay_whole()) is not None:
            found.append(Offer("whole-batches", why))
        else:
            found.append(self._accumulate(cautions))
        return tuple(offer for offer in found if offer is not None)

    # --- what is seen ------------------------------------------------------------------------------

    def _alive(self) -> list[Any]:
        return [model for ref in self._models.values() if (model := ref()) is not None]

    def _notice(self, owner: Any, name: str) -> None:
        real = getattr(owner, name)
        what = owner.__name__ if inspect.isclass(owner) else name

        @wraps(real)
        def noticed(*args: Any, **kwargs: Any) -> Any:
            self._seen.add(what)
            return real(*args, **kwargs)

        setattr(owner, name, noticed)

    def _watch_losses(self) -> None:
        """Look at the cross-entropies that train: over how many classes, for how many rows, which count."""
        real, of_logarithms = functional.cross_entropy, functional.nll_loss

        @wraps(real)
        def cross_entropy(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(input, torch.Tensor) and input.requires_grad and input.device.type == "cuda":
                classes = input.shape[1] if input.dim() > 1 else 0
                # As many classes as rows, or one less without the row itself: rows are compared with rows.
                alike = input.dim() == 2 and classes > 1 and len(input) - classes in (0, 1)
                self._compares = self._compares or alike
                self._note_classes(input, classes)
                self._uncounted = self._uncounted or _leaves_out(target, *args, **kwargs)
            loss = real(input, target, *args, **kwargs)
            if isinstance(loss, torch.Tensor) and loss.grad_fn is not None and not loss.dim():
                mark_mean(loss, input, *args, **kwargs)
            return loss

        @wraps(of_logarithms)
        def nll_loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(input, torch.Tensor) and input.requires_grad and input.device.type == "cuda":
                self._note_classes(input, input.shape[1] if input.dim() > 1 else 0)
                self._uncounted = self._uncounted or _leaves_out(target, *args, **kwargs)
            return of_logarithms(input, target, *args, **kwargs)

        functional.cross_entropy, functional.nll_loss = cross_entropy, nll_loss

    def _note_classes(self, scores: Any, classes: int) -> None:
        if classes >= chunks.CLASSES and chunks.POSSIBLE:
            self._logits = max(self._logits or (0, 0), (classes, scores.numel() // classes))

    def _number(self, loader: Any, number: int) -> None:
        self._numbers[id(loader)] = number
        if (line := self._places.here()) is not None:
            self._lines[number] = line

    def _watch_passes(self) -> None:
        real = DataLoader.__iter__

        @wraps(real)
        def opened(loader: Any) -> Any:
            found = real(loader)
            number = self._numbers.get(id(loader))
            if number is not None and hasattr(found, "count"):
                self._passes = [row for row in self._passes if row[0]() is not None]
                self._passes.append((weakref.ref(found), number))
            return found

        setattr(DataLoader, "__iter__", opened)  # noqa: B010 - mypy takes methods for fixed

    def _around(self, engine: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            self._look_before(args[0] if kwargs.get("accumulate_grad") else ())
            return engine(*args, **kwargs)

        return run

    def _before_backward(self, losses: Sequence[Any]) -> None:
        """Look before a backward pass; it leaves gradients of parameters where there are losses."""
        self._backwards += 1
        self._look_back()
        self._places.ends()
        if not self._steps and self._backwards <= LOOKED_AT:
            self._look_around()  # a script may step without an optimizer
        if self._steps < LOOKED_AT:
            self._look_at(losses)

    def _give_up(self) -> None:
        self._gave_up = True

    def _look_around(self) -> None:
        """Look at the models that train, and at the loaders that feed them."""
        self._fed |= {number for ref, number in self._passes if (found := ref()) is not None and found.count}
        for model in self._alive():
            if id(model) not in self._known and _on_gpu(model):
                self._known[id(model)] = self._look(model)

    def _look_back(self) -> None:
        """Look at what the models keep, since their forward passes began."""
        before, self._before = self._before, []
        for ref, state in before:
            model = ref()
            self._keeps = self._keeps or (model is not None and kept_state(model) != state)

    def _look_at(self, losses: Sequence[Any]) -> None:
        """Look at what backward is called of."""
        rows = [batch.rows for batch in self._places.batches() if batch.rows]
        scaled = "GradScaler" in self._seen
        self._no_mean = self._no_mean or not all(is_mean(loss, rows, scaled) for loss in losses)

    # --- what is offered ---------------------------------------------------------------------------

    def _look(self, model: Any) -> _Model:
        found = [block for block in blocks.blocks_of(model) if block.training]
        # What is frozen keeps nothing for backward, unless something before it trains (prompts).
        found = [block for block in found if _has_trained(block)] or (found if _has_trained(model) else [])
        words = f"{blocks.in_words(found)}{self._defined(type(found[0]))}" if found else ""
        part, method = blocks.library_method(model)
        method = method if part is not None and part.training else ""
        return _Model(words, blocks.LIBRARIES.get(method, ""), _has_batch_norm(model), _is_low(model))

    def _checkpoint(self, models: Sequence[_Model], cautions: tuple[str, ...]) -> Offer | None:
        wanted = [model for model in models if model.blocks or model.method]
        if not wanted:
            return None
        what = " and ".join(dict.fromkeys(model.blocks or "its blocks" for model in wanted))
        how = ", ".join(dict.fromkeys(model.method or blocks.BY_HAND for model in wanted))
        return Offer("checkpoint", what, how, cautions)

    def _defined(self, kind: type) -> str:
        """Where the forward() of a class is, if that is in the project."""
        code = getattr(getattr(kind, "forward", None), "__code__", None)
        path = self._name(code.co_filename) if code is not None else ""
        return f" ({path}:{code.co_firstlineno})" if code is not None and path else ""

    def _other_states(self) -> list[Offer]:
        names = " and ".join(sorted({kind.__name__ for kind in self._stepped.values() if _is_adam(kind)}))
        if self._sharded:  # the kernels of bitsandbytes 0.50 read past the shard of a DTensor
            return []
        return [Offer("adam-8bit", names), Offer("adam-paged", names)] if names else []

    def _in_backward(self) -> Offer | None:
        """Where each step follows one backward, and nothing else looks at the gradients between them.

        What averages over ranks does: a gradient is there before it is that of all of them.
        """
        if not self._alone or len(self._stepped) != 1:
            return None
        if self._seen & {"GradScaler", "clip_grad_norm_", "clip_grad_value_"}:
            return None
        if any(base.__name__ in _AVERAGING for model in self._alive() for base in type(model).__mro__):
            return None
        (kind,) = self._stepped.values()
        if not kind.__module__.startswith("torch.optim.") or kind.__name__ == "LBFGS":
            return None
        return Offer("step-in-backward", kind.__name__)

    def _freezing(self) -> Offer | None:
        sizes = [size for found in self._frozen.values() for size in found]
        return Offer("freeze", plural(len(sizes), "parameter")) if sizes else None

    def _stay_whole(self) -> str | None:
        """Why batches are not to be divided, None where they may be."""
        if self._compares:
            return COMPARES
        if not self._stepped:
            return BY_HAND
        return IN_TURN if self._in_turn else None

    def _items(self) -> Offer | None:
        """How many items the loaders have that feed the steps: no batch is larger."""
        known = [self._loaders.items[number] for number in self._fed if number in self._loaders.items]
        return Offer("items", str(max(known))) if known and len(known) == len(self._fed) else None

    def _accumulate(self, cautions: tuple[str, ...]) -> Offer | None:
        sizes = {number: self._loaders.sizes[number] for number in self._fed if number in self._loaders.sizes}
        if not sizes:
            return None
        numbers = ",".join(str(number) for number in sorted(sizes))
        made = tuple(dict.fromkeys(self._lines[number] for number in sorted(sizes) if number in self._lines))
        regions = self._places.regions()
        return Offer(f"accumulate:{numbers}", str(min(sizes.values())), "", cautions, regions, made)


def _leaves_out(
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = IGNORED,
    *others: Any,
    **more: Any,
) -> bool:
    """Whether a mean over these targets is one over weights, or over fewer of them than there are."""
    from memlint.runtime.simulate.ranges import bounds, was_written  # other runs do without what it imports

    if weight is not None:
        return True
    within = bounds(target) if not target.is_floating_point() else None
    if within is None:
        return ignore_index != IGNORED or was_written(ignore_index)
    return bool(within[0] <= ignore_index <= within[1])


def _runs(module: str, frame: FrameType | None) -> bool:
    """Whether a function of a module is running."""
    while frame is not None:
        if frame.f_globals.get("__name__") == module:
            return True
        frame = frame.f_back
    return False


def _on_gpu(model: Any) -> bool:
    return any(parameter.device.type == "cuda" for parameter in model.parameters())


def _has_batch_norm(model: Any) -> bool:
    return any(isinstance(m, BATCH_NORMS) for m in model.modules())


def kept_state(model: Any) -> dict[str, tuple[int, int]]:
    """What a model keeps beside what it trains, and how often each was changed; BatchNorm's left out."""
    norms = {id(buffer) for m in model.modules() if isinstance(m, BATCH_NORMS) for buffer in m.buffers(False)}
    frozen = ((name, each) for name, each in model.named_parameters() if not each.requires_grad)
    buffers = ((name, each) for name, each in model.named_buffers() if id(each) not in norms)
    kept = ((name, each) for name, each in (*frozen, *buffers) if each.layout is torch.strided)
    return {name: (version(each), storage_key(each.untyped_storage())) for name, each in kept}


def _has_trained(module: Any) -> bool:
    return any(parameter.requires_grad for parameter in module.parameters())


def _is_low(model: Any) -> bool:
    return any(parameter.dtype in _LOW for parameter in model.parameters())


def _is_adam(kind: type) -> bool:
    return kind.__name__ in EIGHT_BIT and kind.__module__.startswith("torch.optim.")
