# what backward runs through is what the attribute holds: its nodes stay, no whole graph

import torch
from torch import nn


class Judge(nn.Module):
    def forward(self, a, b):
        error = (a - b).abs().mean()
        self.error, self.spread = error, (a - b).std()
        return error


def run(net, loader):
    judge = Judge()
    optimizer = torch.optim.Adam(net.parameters())
    errors = 0
    for x, y in loader:
        loss = judge(net(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        errors += judge.error  #! MEM101 warning
    return errors
