# codebook statistics of a vector quantiser, updated from detached inputs

import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, n, d, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("embed", torch.randn(n, d))
        self.register_buffer("cluster_size", torch.zeros(n))
        self.register_buffer("embed_avg", torch.randn(n, d))
        self.project = nn.Linear(d, d)

    def forward(self, z):
        z = self.project(z)
        flat = z.detach()
        index = torch.cdist(flat, self.embed).argmin(1)
        onehot = nn.functional.one_hot(index, len(self.embed)).type(flat.dtype)
        self.cluster_size.data.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.embed_avg.data.mul_(self.decay).add_(onehot.t() @ flat, alpha=1 - self.decay)
        return z + (self.embed[index] - z).detach()


book = Codebook(8, 4)
opt = torch.optim.Adam(book.parameters())
for z in torch.randn(10, 6, 4):
    opt.zero_grad()
    book(z).pow(2).mean().backward()
    opt.step()
