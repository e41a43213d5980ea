# gradient accumulation that steps but never clears

import torch
from torch import nn

model = nn.Linear(32, 8)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
accum = 4
data = [(torch.randn(2, 32), torch.randint(0, 8, (2,))) for _ in range(64)]
for i, (x, y) in enumerate(data):
    loss = nn.functional.cross_entropy(model(x), y) / accum
    loss.backward()
    if (i + 1) % accum == 0:
        opt.step()
        opt.zero_grad()
