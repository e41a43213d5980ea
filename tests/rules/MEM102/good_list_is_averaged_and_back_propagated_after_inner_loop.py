# the list is averaged and back-propagated after the inner loop

import torch
import torch.nn.functional as F

model = torch.nn.Linear(6, 1)
opt = torch.optim.Adam(model.parameters())
for epoch in range(10):
    losses = []
    for x, y in [(torch.randn(4, 6), torch.randn(4, 1)) for _ in range(8)]:
        losses.append(F.mse_loss(model(x), y))
    opt.zero_grad()
    torch.stack(losses).sum().backward()
    opt.step()
