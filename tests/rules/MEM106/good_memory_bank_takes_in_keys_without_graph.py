# keys are detached, made or stored under no_grad, or kept as numbers: the bank carries no graph

import torch
from torch import nn
from torch.nn import functional as F


class Contrast(nn.Module):
    def __init__(self, dim=64, size=4096):
        super().__init__()
        self.encoder = nn.Linear(32, dim)
        self.momentum_encoder = nn.Linear(32, dim)
        self.register_buffer("queue", torch.randn(dim, size))
        self.register_buffer("bank", torch.randn(size, dim))
        self.register_buffer("seen", torch.zeros(size))
        self.register_buffer("unused", None)

    def forward(self, a, b, where):
        query = self.encoder(a)
        with torch.no_grad():
            keys = self.momentum_encoder(b)
        logits = query @ self.queue.clone() + query @ self.bank.t()
        self.queue[:, : len(keys)] = keys.T
        self.bank.index_copy_(0, where, query.detach())
        self.seen.scatter_(0, where, query.norm(dim=1).detach())
        self._store(query)
        return logits / 0.07

    @torch.no_grad()
    def _store(self, query):
        self.queue[:, -len(query) :] = query.T


def train(triples):
    model = Contrast().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.03)
    for a, b, where in triples:
        opt.zero_grad()
        logits = model(a.cuda(), b.cuda(), where.cuda())
        F.cross_entropy(logits, where.cuda()).backward()
        opt.step()
