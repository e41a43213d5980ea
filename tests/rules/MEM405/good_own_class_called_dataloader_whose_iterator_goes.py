# an own class called DataLoader, whose iterator goes on where it was

import torch


class DataLoader:
    def __init__(self, x):
        self.x, self.at = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at = (self.at + 4) % len(self.x)
        return self.x[self.at : self.at + 4]


loader = DataLoader(torch.randn(64, 4))
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    opt.zero_grad()
    net(next(iter(loader))).mean().backward()
    opt.step()
