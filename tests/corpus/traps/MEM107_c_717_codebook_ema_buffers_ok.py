import torch
from torch import nn
import torch.nn.functional as F


class VectorQuantizerEMA(nn.Module):
    """Codebook statistics are buffers, updated from assignments that carry no gradient."""

    def __init__(self, n=512, d=64, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("book", torch.randn(n, d))
        self.register_buffer("count", torch.zeros(n))
        self.register_buffer("total", self.book.clone())

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        idx = torch.cdist(flat, self.book).argmin(1)
        hot = F.one_hot(idx, len(self.book)).type_as(flat)
        if self.training:
            with torch.no_grad():
                self.count = self.decay * self.count + (1 - self.decay) * hot.sum(0)
                self.total = self.decay * self.total + (1 - self.decay) * hot.t() @ flat
                self.book.copy_(self.total / self.count.clamp(min=1e-5)[:, None])
        q = F.embedding(idx, self.book).view_as(z)
        return z + (q - z).detach(), F.mse_loss(z, q.detach())


def train(enc, dec, vq, loader):
    opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], 2e-4)
    ema_loss = None
    for x, _ in loader:
        q, commit = vq(enc(x))
        loss = F.mse_loss(dec(q), x) + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema_loss = loss.item() if ema_loss is None else 0.9 * ema_loss + 0.1 * loss.item()
    return ema_loss
