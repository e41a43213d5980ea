import random
from dataclasses import dataclass, field
from typing import Any, Dict, List

import torch
from torch import nn


@dataclass
class TrainState:
    step: int = 0
    log: List[Dict[str, Any]] = field(default_factory=list)


def kl_divergence(mu, logvar):
    return -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())


def train_vae(vae: nn.Module, loader, state: TrainState, max_steps: int, beta: float = 1.0):
    opt = torch.optim.Adam(vae.parameters(), 1e-4)
    while state.step < max_steps:
        for x in loader:
            recon, mu, logvar = vae(x)
            rec = nn.functional.mse_loss(recon, x)
            kl = kl_divergence(mu, logvar)
            elbo = rec + beta * kl
            opt.zero_grad()
            elbo.backward()
            opt.step()
            state.log.append({"step": state.step, "elbo": elbo, "rec": rec, "kl": kl})  #! MEM102
            state.step += 1
            if state.step >= max_steps:
                break
    return state


def summarize(state: TrainState) -> None:
    for row in state.log[-10:]:
        print({k: round(float(v), 4) for k, v in row.items()})
