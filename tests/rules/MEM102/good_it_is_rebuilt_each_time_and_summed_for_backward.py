# the list lives for one step only: it is rebuilt each time and summed for backward

import torch

encoder, heads = torch.nn.Linear(8, 16), torch.nn.ModuleList(torch.nn.Linear(16, 2) for _ in range(3))
opt = torch.optim.Adam([*encoder.parameters(), *heads.parameters()])
for step in range(100):
    z = encoder(torch.randn(4, 8))
    parts = []
    for head in heads:
        parts.append(head(z).pow(2).mean())
    loss = sum(parts)
    opt.zero_grad()
    loss.backward()
    opt.step()
