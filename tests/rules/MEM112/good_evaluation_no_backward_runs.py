# evaluation: no backward runs

import torch
import torch.nn.functional as F

net = torch.nn.Linear(32, 50000)
loss = F.cross_entropy(net(torch.randn(2, 32)), torch.tensor([1, 2]))
loss.backward()
total = 0.0
with torch.no_grad():
    for _ in range(5):
        logits = net(torch.randn(2, 32))
        total += F.cross_entropy(logits, torch.tensor([1, 2])).item()
print(total)
