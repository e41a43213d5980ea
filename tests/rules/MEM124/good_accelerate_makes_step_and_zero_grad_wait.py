# accelerate makes step and zero_grad wait by themselves

import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters())
loader = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for step, x in enumerate(loader):
    with accelerator.accumulate(model):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        accelerator.backward(loss)
        optimizer.step()
