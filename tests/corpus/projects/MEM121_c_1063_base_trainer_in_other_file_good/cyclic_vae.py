import torch
import torch.nn as nn
import torch.nn.functional as F

from core import BaseTrainer


class SeqVAE(nn.Module):
    def __init__(self, vocab=64, h=128, z=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, h)
        self.enc = nn.GRU(h, h, batch_first=True)
        self.mu, self.lv = nn.Linear(h, z), nn.Linear(h, z)
        self.dec_in = nn.Linear(z, h)
        self.dec = nn.GRU(h, h, batch_first=True)
        self.out = nn.Linear(h, vocab)

    def forward(self, x):
        _, h = self.enc(self.emb(x))
        mu, lv = self.mu(h[-1]), self.lv(h[-1])
        z = mu + torch.randn_like(mu) * torch.exp(lv / 2)
        y, _ = self.dec(self.emb(x), self.dec_in(z)[None])
        return self.out(y), mu, lv


class CyclicTrainer(BaseTrainer):
    def beta(self):
        return min(1.0, (self.global_step % 10000) / 5000)

    def compute_loss(self, batch):
        x = batch.to(self.cfg["device"])
        logits, mu, lv = self.net(x[:, :-1])
        rec = F.cross_entropy(logits.transpose(1, 2), x[:, 1:])
        kl = -0.5 * (1 + lv - mu ** 2 - lv.exp()).mean()
        return rec + self.beta() * kl


if __name__ == "__main__":
    data = torch.randint(0, 64, (1000, 20)).split(50)
    CyclicTrainer({"device": "cpu", "lr": 1e-3, "epochs": 3}, SeqVAE()).fit(data)
