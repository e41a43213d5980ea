# two models whose losses mix both outputs, each backward through its scaler

import torch
from torch import nn

model0, model1 = nn.Linear(5, 3), nn.Linear(5, 3)
optimizer0 = torch.optim.SGD(model0.parameters(), lr=0.1)
optimizer1 = torch.optim.SGD(model1.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda", enabled=False)
loss_fn = nn.MSELoss()
for epoch in range(2):
    for input, target in [(torch.randn(4, 5), torch.randn(4, 3)) for _ in range(5)]:
        optimizer0.zero_grad()
        optimizer1.zero_grad()
        output0, output1 = model0(input), model1(input)
        loss0 = loss_fn(2 * output0 + 3 * output1, target)
        loss1 = loss_fn(3 * output0 - 5 * output1, target)
        scaler.scale(loss0).backward(retain_graph=True)
        scaler.scale(loss1).backward()
        scaler.step(optimizer0)
        scaler.step(optimizer1)
        scaler.update()
