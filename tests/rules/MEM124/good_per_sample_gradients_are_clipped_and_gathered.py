# per-sample gradients are clipped and gathered by hand

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(10, 8, 4):
    sums = [torch.zeros_like(p) for p in model.parameters()]
    for sample in batch:
        optimizer.zero_grad()
        model(sample).pow(2).sum().backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for total, p in zip(sums, model.parameters()):
            total += p.grad
    for total, p in zip(sums, model.parameters()):
        p.grad = total / len(batch)
    optimizer.step()
