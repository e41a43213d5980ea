# retain_graph=True keeps what backward() would have freed

import torch
from torch import nn


def fit(policy, batches):
    optim = torch.optim.Adam(policy.parameters())
    total_loss = 0.
    for obs, ret in batches:
        optim.zero_grad()
        loss = (policy(obs).squeeze(-1) - ret).pow(2).mean()
        loss.backward(retain_graph=True)
        optim.step()
        total_loss += loss  #! MEM101 error
    return total_loss


net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
print(fit(net, [(torch.randn(10, 6), torch.randn(10)) for _ in range(30)]))
