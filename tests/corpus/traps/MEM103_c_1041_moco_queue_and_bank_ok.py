import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryBank(nn.Module):
    def __init__(self, size=4096, dim=128):
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def push(self, keys):
        n, p = keys.size(0), int(self.ptr)
        self.queue[p:p + n] = keys
        self.ptr[0] = (p + n) % self.queue.size(0)


class MoCo(nn.Module):
    def __init__(self, make, T=0.07, m=0.999):
        super().__init__()
        self.q, self.k = make(), make()
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.data.copy_(pq.data)
            pk.requires_grad = False
        self.bank, self.T, self.m = MemoryBank(), T, m

    def _momentum(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1.0 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        with torch.no_grad():
            self._momentum()
            k = F.normalize(self.k(xk), dim=1)
        pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        neg = torch.einsum("nc,kc->nk", q, self.bank.queue.clone().detach())
        logits = torch.cat([pos, neg], 1) / self.T
        self.bank.push(k)
        return logits, torch.zeros(len(q), dtype=torch.long, device=q.device)


def train(loader):
    net = MoCo(lambda: nn.Sequential(nn.Flatten(), nn.Linear(3072, 128))).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.03, momentum=0.9)
    hist = []
    for xq, xk in loader:
        logits, y = net(xq.cuda(), xk.cuda())
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist.append(float(loss))
    return hist
