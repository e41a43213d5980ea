# The generator's step runs through the critic on purpose; the critic is frozen for it, the samples are detached for its own.
import torch
from torch import nn

g, d = nn.Linear(6, 12), nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 1))
opt_g, opt_d = torch.optim.Adam(g.parameters(), 2e-4), torch.optim.Adam(d.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()


def set_requires_grad(nets, requires_grad=False):
    for net in nets if isinstance(nets, list) else [nets]:
        for param in net.parameters():
            param.requires_grad = requires_grad


for i in range(300):
    real = torch.randn(16, 12)
    fake = g(torch.randn(16, 6))
    set_requires_grad([d], False)
    opt_g.zero_grad()
    score = d(fake)
    bce(score, torch.ones_like(score)).backward()
    opt_g.step()
    set_requires_grad([d], True)
    opt_d.zero_grad()
    score = torch.cat([d(real), d(fake.detach())])
    bce(score, torch.cat([torch.ones(16, 1), torch.zeros(16, 1)])).backward()
    opt_d.step()
