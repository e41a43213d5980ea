# the loss takes the numbers before it leaves them, or whoever sums them does

import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = {}

    def forward(self, a, b):
        error = (a - b).abs().mean()
        spread = (a - b).std()
        self.last = {"error": error.item(), "spread": spread.detach(), "sum": error + spread}
        return error + spread


def run(net, loader):
    judge = Judge()
    optimizer = torch.optim.Adam(net.parameters())
    errors, spreads, sums = 0, 0, 0
    for x, y in loader:
        loss = judge(net(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        errors += judge.last["error"]
        spreads += judge.last["spread"]
        sums += judge.last["sum"].item()
    return errors, spreads, sums
