import torch
import torch.nn.functional as F


def toggle(net, on):
    for p in net.parameters():
        p.requires_grad_(on)


class HingeGAN:
    def __init__(self, g, d):
        self.g, self.d = g, d
        self.opt_g = torch.optim.Adam(g.parameters(), 1e-4)
        self.opt_d = torch.optim.Adam(d.parameters(), 4e-4)

    def train(self, loader):
        for real, label in loader:
            toggle(self.d, True)
            with torch.no_grad():
                fake = self.g(torch.randn(len(real), 128), label)
            d_loss = F.relu(1 - self.d(real, label)).mean() + F.relu(1 + self.d(fake, label)).mean()
            self.opt_d.zero_grad()
            d_loss.backward()
            self.opt_d.step()
            toggle(self.d, False)
            g_loss = -self.d(self.g(torch.randn(len(real), 128), label), label).mean()
            self.opt_g.zero_grad()
            g_loss.backward()
            self.opt_g.step()
