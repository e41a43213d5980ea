import copy

import torch
import torch.nn.functional as F


class Contrast:
    def __init__(self, encoder, dim, size, tau=0.07, m=0.99):
        self.q, self.k = encoder, copy.deepcopy(encoder)
        self.queue = F.normalize(torch.randn(size, dim), dim=1)
        self.tau, self.m = tau, m
        self.opt = torch.optim.SGD(self.q.parameters(), 0.03)

    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.k.parameters(), self.q.parameters()):
            a.mul_(self.m).add_(b, alpha=1 - self.m)

    def step(self, x1, x2):
        z = F.normalize(self.q(x1), dim=1)
        with torch.no_grad():
            keys = F.normalize(self.k(x2), dim=1)
        logits = torch.cat([(z * keys).sum(1, keepdim=True), z @ self.queue.T], 1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(z), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.momentum()
        self.queue = torch.cat([keys, self.queue])[: len(self.queue)]

    def fit(self, loader):
        for (a, b), _ in loader:
            self.step(a, b)
