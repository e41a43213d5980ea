# the sum combines the losses of one step and is back-propagated itself

import torch
from torch import nn

trunk = nn.Linear(16, 64)
heads = nn.ModuleList(nn.Linear(64, k) for k in (3, 4, 2))
opt = torch.optim.Adam([*trunk.parameters(), *heads.parameters()])
ce = nn.CrossEntropyLoss()
for step in range(60):
    z = trunk(torch.randn(64, 16)).relu()
    total_loss = 0
    for head in heads:
        out = head(z)
        total_loss += ce(out, out.argmax(1).detach())
    total_loss += 1e-4 * z.pow(2).mean()
    opt.zero_grad()
    total_loss.backward()
    opt.step()
