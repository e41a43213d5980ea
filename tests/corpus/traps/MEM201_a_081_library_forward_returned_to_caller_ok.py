import torch
from torch import Tensor, nn


def intermediate_activations(model: nn.Module, x: Tensor, layers: list[str]) -> dict[str, Tensor]:
    """Activations with their history; the caller may differentiate them."""
    acts: dict[str, Tensor] = {}
    for name, module in model.named_children():
        x = module(x)
        if name in layers:
            acts[name] = x
    return acts


def perceptual(model: nn.Module, a: Tensor, b: Tensor, layers: list[str]) -> Tensor:
    fa, fb = intermediate_activations(model, a, layers), intermediate_activations(model, b, layers)
    loss = a.new_zeros(())
    for k in layers:
        loss = loss + (fa[k] - fb[k]).abs().mean()
    return loss
