# accelerate skips zero_grad() and step() itself inside accumulate().
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(gradient_accumulation_steps=4)
model = nn.Linear(10, 2)
optimizer = torch.optim.AdamW(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=8)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for inputs, labels in loader:
    with accelerator.accumulate(model):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
