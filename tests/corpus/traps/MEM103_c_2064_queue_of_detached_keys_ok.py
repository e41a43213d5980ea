# A queue as a buffer of fixed size that takes keys computed under no_grad.
import torch
import torch.nn.functional as F
from torch import nn


class MoCo(nn.Module):
    def __init__(self, width=16, length=512, m=0.99):
        super().__init__()
        self.query, self.key, self.m = nn.Linear(20, width), nn.Linear(20, width), m
        self.key.load_state_dict(self.query.state_dict())
        self.key.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(length, width), dim=1))
        self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def enqueue(self, keys):
        at = int(self.ptr)
        self.queue[at:at + len(keys)] = keys
        self.ptr.fill_((at + len(keys)) % len(self.queue))

    @torch.no_grad()
    def momentum(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    def forward(self, x):
        q = F.normalize(self.query(x), dim=1)
        with torch.no_grad():
            self.momentum()
            k = F.normalize(self.key(x), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().t()], 1) / 0.2
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


net = MoCo()
opt = torch.optim.SGD(net.query.parameters(), 0.03)
for _ in range(200):
    loss = net(torch.randn(64, 20))
    opt.zero_grad()
    loss.backward()
    opt.step()
