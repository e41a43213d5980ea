import torch
from torch import nn


class GAN:
    def __init__(self, G, D, cfg):
        self.G, self.D, self.cfg = G, D, cfg
        self.og = torch.optim.Adam(G.parameters(), cfg.lr, betas=(0.5, 0.999))
        self.od = torch.optim.Adam(D.parameters(), cfg.lr, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()

    def d_step(self, real):
        ones = torch.ones(len(real), 1, device=real.device)
        fake = self.G(torch.randn(len(real), self.cfg.z, device=real.device))
        self.od.zero_grad()
        loss = self.bce(self.D(real), ones)
        loss = loss + self.bce(self.D(fake), torch.zeros_like(ones))  #! MEM204
        loss.backward()
        self.od.step()
        return loss.item()

    def g_step(self, n, device):
        self.og.zero_grad()
        out = self.D(self.G(torch.randn(n, self.cfg.z, device=device)))
        loss = self.bce(out, torch.ones_like(out))
        loss.backward()
        self.og.step()
        return loss.item()

    def fit(self, loader):
        for real, _ in loader:
            real = real.cuda()
            print(self.d_step(real), self.g_step(len(real), real.device))
