# The state of the run is a dataclass that travels through the functions.
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class RunState:
    step: int = 0
    losses: list[Tensor] = field(default_factory=list)
    grad_norms: list[float] = field(default_factory=list)


def one_step(net, opt, state: RunState) -> RunState:
    x = torch.randn(32, 24)
    loss = nn.functional.huber_loss(net(x), x.flip(1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    state.step += 1
    state.losses.append(loss.detach())
    state.grad_norms.append(norm.item())
    return state


def run(steps=800):
    net = nn.Sequential(nn.Linear(24, 96), nn.Mish(), nn.Linear(96, 24))
    opt = torch.optim.AdamW(net.parameters())
    state = RunState()
    while state.step < steps:
        state = one_step(net, opt, state)
    return torch.stack(state.losses).mean().item(), max(state.grad_norms)


print(run())
