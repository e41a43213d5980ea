# loss history as a list of tensors

import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 50), nn.ReLU(), nn.Linear(50, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
losses = []
for epoch in range(200):
    x = torch.randn(64, 10)
    y = x.sum(1, keepdim=True)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())
print(losses[0].item(), losses[-1].item())
