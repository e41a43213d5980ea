# accelerate's gather of a detached loss, added as a number

import torch
from accelerate import Accelerator

accelerator = Accelerator()
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
model, optimizer = accelerator.prepare(model, optimizer)
train_loss = 0.0
for step in range(100):
    with accelerator.accumulate(model):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        avg_loss = accelerator.gather(loss.repeat(8)).mean()
        train_loss += avg_loss.item() / 4
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
