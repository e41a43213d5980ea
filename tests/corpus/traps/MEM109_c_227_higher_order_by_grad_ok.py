import torch
from torch import nn


class ICNN(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.a, self.b = nn.Linear(d, 16), nn.Linear(16, 1)

    def forward(self, x):
        return self.b(nn.functional.softplus(self.a(x)))


def transport(potential, x, create_graph=True):
    x = x.requires_grad_(True)
    return torch.autograd.grad(potential(x).sum(), x, create_graph=create_graph)[0]


f, g = ICNN(), ICNN()
opt_f = torch.optim.Adam(f.parameters(), lr=1e-3)
opt_g = torch.optim.Adam(g.parameters(), lr=1e-3)
for it in range(100):
    src, tgt = torch.randn(32, 4), torch.randn(32, 4) + 1
    for _ in range(3):
        moved = transport(g, src)
        g_loss = (f(moved) - (src * moved).sum(1, keepdim=True)).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
    moved = transport(g, src, create_graph=False).detach()
    f_loss = f(tgt).mean() - f(moved).mean()
    opt_f.zero_grad()
    f_loss.backward()
    opt_f.step()
