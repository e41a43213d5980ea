# comparisons and argmax give integer or boolean tensors, which carry no graph

import torch
from torch import nn

model = nn.Linear(20, 5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
correct, seen, share, hits = 0, 0, 0.0, torch.zeros(())
for _ in range(50):
    x, y = torch.randn(32, 20), torch.randint(0, 5, (32,))
    out = model(x)
    loss = nn.functional.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    correct += (out.argmax(1) == y).sum()
    _, predicted = torch.max(out, 1)
    hits += predicted.eq(y).sum()
    share = share + (out.argmax(dim=1) == y).float().mean()
    seen += y.size(0)
print(correct / seen, share / 50, hits)
