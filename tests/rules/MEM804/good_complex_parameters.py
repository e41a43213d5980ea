# complex parameters

import torch
from torch import nn

weight = nn.Parameter(torch.randn(512, 512, dtype=torch.cfloat, device="cuda"))
optimizer = torch.optim.Adam([weight], lr=1e-3)
for x in loader:
    optimizer.zero_grad()
    (x.cuda() @ weight).abs().mean().backward()
    optimizer.step()
