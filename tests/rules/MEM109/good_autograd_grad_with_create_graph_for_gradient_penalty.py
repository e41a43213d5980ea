# autograd.grad with create_graph for a gradient penalty

import torch

critic = torch.nn.Sequential(torch.nn.Linear(5, 20), torch.nn.SiLU(), torch.nn.Linear(20, 1))
opt = torch.optim.Adam(critic.parameters())
for x in torch.randn(10, 4, 5):
    x.requires_grad_(True)
    score = critic(x)
    (slope,) = torch.autograd.grad(score.sum(), x, create_graph=True)
    loss = score.mean() + 10 * (slope.norm(dim=1) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
