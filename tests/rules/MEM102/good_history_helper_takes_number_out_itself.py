# the history helper takes the number out itself

import torch
from torch import Tensor


def to_number(value):
    return value.item() if isinstance(value, Tensor) else float(value)


class History:
    def __init__(self):
        self.rows = []

    def append(self, **metrics):
        self.rows.append({k: to_number(v) for k, v in metrics.items()})


history = History()
net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
for _ in range(30):
    loss = net(torch.randn(4, 3)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss=loss)
