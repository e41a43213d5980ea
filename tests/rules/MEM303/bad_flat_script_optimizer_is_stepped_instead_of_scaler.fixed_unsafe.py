# flat script: the optimizer is stepped instead of the scaler

import torch
from torch import nn

net = nn.Sequential(nn.Linear(40, 80), nn.ReLU(), nn.Linear(80, 1)).cuda()
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")

for x in torch.randn(200, 16, 40, device="cuda"):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(x).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
