# the terms belong to the step that made them: backward runs through their sum

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.terms = []

    def forward(self, x):
        h = self.layer(x)
        self.terms = [h.mean(), h.std()]
        return h


def run(loader):
    net = Net().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        loss = (net(x.cuda()) - y.cuda()).pow(2).mean()
        for term in net.terms:
            loss += 0.1 * term
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), net.terms[0].item())
