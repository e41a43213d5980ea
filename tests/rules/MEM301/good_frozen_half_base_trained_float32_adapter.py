# frozen half base, trained float32 adapter

import torch
from torch import nn

base = nn.Linear(64, 64).half().requires_grad_(False)
adapter = nn.Sequential(nn.Linear(64, 4, bias=False), nn.Linear(4, 64, bias=False))
opt = torch.optim.AdamW(adapter.parameters(), lr=1e-3)
for x in torch.randn(20, 8, 64):
    h = base(x.half()).float() + adapter(x)
    opt.zero_grad()
    h.pow(2).mean().backward()
    opt.step()
