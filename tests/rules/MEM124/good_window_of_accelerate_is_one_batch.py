# without a number, accelerate takes one batch for each step

import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator(mixed_precision="bf16")
model = nn.Linear(16, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.randn(64, 16), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x in loader:
    with accelerator.accumulate(model):
        accelerator.backward(model(x).pow(2).mean())
        optimizer.step()
        model.zero_grad()
