# the module joins its queue with what it has computed, and computes with the queue in the next step

import torch
from torch.utils.data import DataLoader


class Contrast(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(64, 128)
        self.queue = torch.randn(4096, 128)

    def forward(self, x):
        keys = self.encoder(x)
        logits = keys @ self.queue.T
        self.queue = torch.cat([keys, self.queue])[:4096]  #! MEM106
        return logits


def main(data):
    net = Contrast()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(data, batch_size=64):
        optimizer.zero_grad()
        net(x).logsumexp(1).mean().backward()
        optimizer.step()
