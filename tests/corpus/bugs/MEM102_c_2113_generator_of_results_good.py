# A generator yields what each step gave, and the caller lists it all.
from typing import Iterator

import torch
from torch import Tensor, nn


def training(net: nn.Module, opt: torch.optim.Optimizer, steps: int) -> Iterator[tuple[int, Tensor]]:
    for i in range(steps):
        x = torch.randn(48, 16)
        loss = (net(x) - x.sin()).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield i, loss.item()


net = nn.Sequential(nn.Linear(16, 64), nn.Softplus(), nn.Linear(64, 16))
curve = list(training(net, torch.optim.NAdam(net.parameters()), 1500))
print(min(curve, key=lambda point: float(point[1])))
