import torch
from torch import nn


class MoCo(nn.Module):
    def __init__(self, q, k, dim=128, K=65536, m=0.999):
        super().__init__()
        self.q, self.k, self.K, self.m = q, k, K, m
        for p in self.k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", nn.functional.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.data = b.data * self.m + a.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n, p = keys.shape[0], int(self.ptr)
        self.queue[:, p:p + n] = keys.T
        self.ptr[0] = (p + n) % self.K

    def forward(self, a, b):
        q = nn.functional.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self._momentum()
            k = nn.functional.normalize(self.k(b), dim=1)
        l = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().detach()], 1) / 0.07
        self._enqueue(k)
        return nn.functional.cross_entropy(l, torch.zeros(l.size(0), dtype=torch.long, device=l.device))
