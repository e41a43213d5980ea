# cleared at the start of each accumulation window

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(torch.randn(64, 8, 4)):
    if i % 4 == 0:
        optimizer.zero_grad()
    (model(x).pow(2).mean() / 4).backward()
    if i % 4 == 3:
        optimizer.step()
