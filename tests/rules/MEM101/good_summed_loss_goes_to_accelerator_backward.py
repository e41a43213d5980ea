# the summed loss goes to accelerator.backward, or through a scaler

import torch
from accelerate import Accelerator

accelerator = Accelerator()
model, head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW([*model.parameters(), *head.parameters()])
scaler = torch.amp.GradScaler("cuda")
for batch in torch.randn(20, 3, 8, 4):
    total = 0
    for view in batch:
        total += head(model(view)).pow(2).mean()
    optimizer.zero_grad()
    accelerator.backward(total)
    optimizer.step()
for batch in torch.randn(20, 3, 8, 4):
    loss = torch.zeros(())
    for view in batch:
        loss = loss + head(model(view)).abs().mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
