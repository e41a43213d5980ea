# flat script: the region is opened before the loop

import torch
from torch import nn

model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
data = [(torch.randn(8, 16).cuda(), torch.randn(8, 1).cuda()) for _ in range(100)]

with torch.autocast("cuda", dtype=torch.bfloat16):  #! MEM302 error
    for x, y in data:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).float(), y)
        loss.backward()
        optimizer.step()
