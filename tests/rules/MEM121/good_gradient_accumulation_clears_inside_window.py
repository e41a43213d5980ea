# gradient accumulation clears inside the window

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 8
optimizer.zero_grad()
for i in range(800):
    loss = model(torch.randn(8, 4)).pow(2).mean() / accumulation_steps
    loss.backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
