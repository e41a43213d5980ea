# zeroed once per epoch only

import torch
from torch import nn

net = nn.Linear(12, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
batches = [(torch.randn(4, 12), torch.randn(4, 1)) for _ in range(40)]

for epoch in range(20):
    optimizer.zero_grad()
    for xb, yb in batches:
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()  #! MEM121
        optimizer.step()
    scheduler.step()
