# backward runs for each part

import torch

model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(10, 32, 4):
    opt.zero_grad()
    total = 0.0
    for part in batch.chunk(4):
        loss = model(part).pow(2).mean() / 4
        loss.backward()
        total += loss.detach()
    opt.step()
