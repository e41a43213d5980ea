"""Optimizers with less state or with steps within backward, and no gradients that none of them uses."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterator
from functools import wraps
from typing import Any

import torch

BLOCK, SMALLEST, CODES = 256, 4096, 256
"""Numbers that share a scale, those from which a state has 8 bits, and the values that 8 bits can mean.

Source: `Optimizer2State.init_state` and `create_dynamic_map` of bitsandbytes 0.50.
"""

PAGED = 100_000
"""Numbers from which a state is in managed memory (`Optimizer8bit.get_state_buffer` of bitsandbytes 0.50)."""

EIGHT_BIT = ("Adam", "AdamW")


class Made:
    """The optimizers that a script has made and still has."""

    def __init__(self) -> None:
        self._all: list[weakref.ref[Any]] = []

    def install(self) -> None:
        """Notice each from now on."""
        real = torch.optim.Optimizer.__init__

        @wraps(real)
        def made(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            real(optimizer, *args, **kwargs)
            self._all.append(weakref.ref(optimizer))

        setattr(torch.optim.Optimizer, "__init__", made)  # noqa: B010 - mypy takes methods for fixed

    def __iter__(self) -> Iterator[Any]:
        return (optimizer for ref in self._all if (optimizer := ref()) is not None)

    def parameters(self) -> set[int]:
        """The addresses of all that they train."""
        return {id(p) for optimizer in self for group in optimizer.param_groups for p in group["params"]}


def eight_bits(whole: Collection[int] = ()) -> None:
    """Let Adam and AdamW keep states as bitsandbytes lays them out, and step without temporaries.

    `whole` are the addresses of parameters whose states stay float32.
    """
    codes: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
    _replace(lambda parameter: _state(parameter, codes, id(parameter) in whole))


def embeddings(model: Any) -> set[int]:
    """The addresses of a model's tables: of these, transformers' Trainer lets no state have 8 bits.

    Source: `create_optimizer` in trainer.py of transformers 5.24 (`register_module_override`).
    """
    return {id(module.weight) for module in model.modules() if isinstance(module, torch.nn.Embedding)}


def paged() -> None:
    """Let Adam and AdamW keep large states in managed memory, and step without temporaries.

    Such memory is none of torch's allocator, and the driver moves it to the host where the GPU is full.
    """
    _replace(_paged_state)


def _replace(state: Callable[[Any], dict[str, torch.Tensor]]) -> None:
    for name in EIGHT_BIT:
        getattr(torch.optim, name).step = _step_with(state)


def _step_with(state: Callable[[Any], dict[str, torch.Tensor]]) -> Callable[..., Any]:
    @torch.no_grad()
    def step(optimizer: Any, closure: Any = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None and not optimizer.state[parameter]:
                    optimizer.state[parameter].update(state(parameter))
        return loss

    return step


def _state(
    parameter: Any, codes: dict[str, tuple[torch.Tensor, torch.Tensor]], whole: bool
) -> dict[str, torch.Tensor]:
    if whole or parameter.numel() < SMALLEST:
        return {name: torch.zeros_like(parameter, dtype=torch.float32) for name in ("state1", "state2")}
    device = parameter.device
    if str(device) not in codes:
        codes[str(device)] = (torch.zeros(CODES, device=device), torch.zeros(CODES, device=device))
    scales = -(-parameter.numel() // BLOCK)
    return {
        "state1": torch.zeros_like(parameter, dtype=torch.uint8),
        "state2": torch.zeros_like(parameter, dtype=torch.uint8),
        "absmax1": torch.zeros(scales, device=device),
        "absmax2": torch.zeros(scales, device=device),
    }


def _paged_state(parameter: Any) -> dict[str, torch.Tensor]:
    if parameter.numel() >= PAGED:
        return {name: torch.empty(0) for name in ("state1", "state2")}
    return {name: torch.zeros_like(parameter, dtype=torch.float32) for name in ("state1", "state2")}


class InBackward:
    """Steps each parameter as soon as its gradient is there, and forgets the gradient."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self._known: set[int] = set()

    def enter(self, module: Any) -> None:
        """A forward pass that trains begins: take over the optimizers that are new."""
        for optimizer in self._made:
            if id(optimizer) not in self._known:
                self._known.add(id(optimizer))
                for group in optimizer.param_groups:
                    for parameter in group["params"]:
                        if parameter.requires_grad:
                            hook = _stepping(weakref.ref(optimizer), group)
                            parameter.register_post_accumulate_grad_hook(hook)


def _stepping(optimizer: Callable[[], Any], group: dict[str, Any]) -> Callable[[Any], None]:
    def hook(parameter: Any) -> None:
        own = optimizer()
        if own is None:
            return
        groups, own.param_groups = own.param_groups, [{**group, "params": [parameter]}]
        try:
            # Without the hooks around it: the step of the whole is that which the script calls.
            step = type(own).step
            (step.__wrapped__ if getattr(step, "hooked", False) else step)(own)
        finally:
            own.param_groups = groups
        parameter.grad = None

    return hook


def untrained(model: Any, made: Made) -> list[Any]:
    """Parameters of a model whose gradients are computed though no optimizer has them.

    None where no optimizer has any of the model's: then the script may update them by hand.
    """
    wanted = [parameter for parameter in model.parameters() if parameter.requires_grad]
    known = made.parameters()
    left = [parameter for parameter in wanted if id(parameter) not in known]
    return left if len(left) < len(wanted) else []


def freeze(model: Any, made: Made) -> None:
    """Compute no gradients for parameters that no optimizer has."""
    for parameter in untrained(model, made):
        parameter.requires_grad_(False)
