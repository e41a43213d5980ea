# the window clears after its step and the loss is divided

import torch
from torch import nn

model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
k = 4
batches = [(torch.randn(2, 10), torch.randint(0, 2, (2,))) for _ in range(9)]
optimizer.zero_grad()
for i, (x, y) in enumerate(batches):
    loss = nn.functional.cross_entropy(model(x), y) / k
    loss.backward()
    if (i + 1) % k == 0 or (i + 1) == len(batches):
        optimizer.step()
        optimizer.zero_grad()
