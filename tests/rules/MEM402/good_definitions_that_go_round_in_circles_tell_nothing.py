# definitions that go round in circles tell nothing

import torch
from torch.utils.data import DataLoader, Dataset


def ping(x):
    return pong(x)


def pong(x):
    return ping(x)


class Odd(Dataset):
    def __init__(self, inner):
        self.inner = self.inner.inner
        self.rows = ping(self.rows)

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.inner[i] + self.rows[i]


odd = Odd(None)
odd = odd.odd
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Odd(odd), batch_size=4, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
