import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, q, k, dim=128, K=65536, m=0.999, T=0.07):
        super().__init__()
        self.encoder_q, self.encoder_k, self.K, self.m, self.T = q, k, K, m, T
        for p in k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.ptr:self.ptr + n] = keys.T
        self.ptr = (self.ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
                pk.data = pk.data * self.m + pq.data * (1.0 - self.m)
            k = F.normalize(self.encoder_k(im_k), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().detach()], 1) / self.T
        self._enqueue(k)
        return logits, torch.zeros(len(q), dtype=torch.long, device=q.device)


def train(model, loader, opt):
    crit = nn.CrossEntropyLoss()
    for (a, b), _ in loader:
        out, target = model(a.cuda(), b.cuda())
        loss = crit(out, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
