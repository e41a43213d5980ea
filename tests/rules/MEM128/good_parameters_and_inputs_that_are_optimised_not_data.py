# parameters and inputs that are optimised, not data

import torch

net = torch.nn.Linear(10, 1)
for p in net.parameters():
    p.requires_grad_(False)
latent = torch.zeros(1, 10).requires_grad_()
opt = torch.optim.LBFGS([latent])
for _ in range(5):
    def closure():
        opt.zero_grad()
        loss = net(latent).pow(2).sum()
        loss.backward()
        return loss

    opt.step(closure)
