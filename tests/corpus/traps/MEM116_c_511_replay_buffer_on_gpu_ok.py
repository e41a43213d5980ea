import random

import torch


class ReplayDataset:
    def __init__(self, size):
        self.items, self.size = [], size

    def push(self, *item):
        self.items = (self.items + [item])[-self.size :]

    def sample(self, n):
        return [torch.stack(part).cuda() for part in zip(*random.sample(self.items, n))]

    def __getitem__(self, i):
        return [p.cuda() for p in self.items[i]]


def collate_for_plot(rows):
    return torch.stack(rows).cpu().numpy()


memory = ReplayDataset(1000)
q = torch.nn.Linear(4, 2).cuda()
opt = torch.optim.Adam(q.parameters())
for step in range(1000):
    memory.push(torch.randn(4), torch.randn(2))
    if step > 64:
        s, target = memory.sample(32)
        opt.zero_grad()
        (q(s) - target).pow(2).mean().backward()
        opt.step()
