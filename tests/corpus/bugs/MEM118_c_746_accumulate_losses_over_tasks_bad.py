import torch
from torch import nn, optim


class MultiDomainTrainer:
    """One batch of each domain for every optimizer step."""

    def __init__(self, net, loaders, lr=1e-3):
        self.net = net
        self.loaders = loaders
        self.crit = nn.CrossEntropyLoss()
        self.opt = optim.Adam(net.parameters(), lr=lr)

    def train_step(self, iters):
        self.opt.zero_grad()
        total = 0
        for name, it in iters.items():
            x, y = next(it)
            logits = self.net(x.cuda())
            total += self.crit(logits, y.cuda()) / len(iters)  #! MEM118
        total.backward()  #= MEM118
        self.opt.step()

    def fit(self, steps):
        iters = {k: iter(v) for k, v in self.loaders.items()}
        for _ in range(steps):
            self.train_step(iters)
