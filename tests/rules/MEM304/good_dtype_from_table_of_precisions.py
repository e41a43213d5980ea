# the dtype comes from a table of precisions, of which float64 is one

import torch
from torch import nn

PRECISIONS = {16: torch.float16, 32: torch.float32, 64: torch.float64}


class Potential(nn.Module):
    def __init__(self, body, head, dtype=torch.float32):
        super().__init__()
        self.body = body.to(dtype=dtype)
        self.head = head.to(dtype)

    def forward(self, x):
        return self.head(self.body(x))


def make(config, device):
    dtype = PRECISIONS[config["bits"]]
    return Potential(nn.Linear(8, 8), nn.Linear(8, 1), dtype=dtype).to(device)


def train(config, loader):
    net = make(config, "cuda")
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
