"""An accelerate loop with gradient accumulation; the total keeps the autograd nodes of all steps."""

import torch, torch.nn as nn, torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
data = TensorDataset(torch.randn(1600, 32), torch.randint(0, 10, (1600,)))
optimizer = torch.optim.AdamW(net.parameters())
net, optimizer, loader = accelerator.prepare(net, optimizer, DataLoader(data, batch_size=16))
total = 0.0
for epoch in range(2):
    for inputs, labels in loader:
        with accelerator.accumulate(net):
            loss = F.cross_entropy(net(inputs), labels)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        total += loss
print(total)
