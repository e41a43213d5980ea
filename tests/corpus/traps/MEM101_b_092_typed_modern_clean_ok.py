from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class Record:
    losses: list[float] = field(default_factory=list)

    def add(self, loss: Tensor) -> None:
        self.losses.append(float(loss.detach()))


def train(model: nn.Module, data: Iterable[tuple[Tensor, Tensor]], opt: torch.optim.Optimizer) -> Record:
    rec = Record()
    for x, y in data:
        opt.zero_grad(set_to_none=True)
        loss: Tensor = nn.functional.huber_loss(model(x), y)
        loss.backward()
        opt.step()
        rec.add(loss)
    return rec


@torch.no_grad()
def evaluate(model: nn.Module, data: Iterable[tuple[Tensor, Tensor]]) -> Tensor:
    model.eval()
    acc: list[Tensor] = []
    for x, y in data:
        acc.append((model(x) - y).abs().mean())
    return torch.stack(acc).mean()
