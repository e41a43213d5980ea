# the model's zero_grad runs at the end of a window only, or a window is one batch

import torch
from accelerate import Accelerator
from torch import nn


def train(loader, every):
    accelerator = Accelerator(gradient_accumulation_steps=every)
    model = nn.Linear(16, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    model.zero_grad()
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(nn.functional.cross_entropy(model(x), y))
            optimizer.step()
            if accelerator.sync_gradients:
                model.zero_grad()
