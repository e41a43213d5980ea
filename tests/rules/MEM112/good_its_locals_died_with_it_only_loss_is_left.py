# the function that computed the loss has returned: its locals died with it; only the loss is left

import torch
import torch.nn.functional as F


def loss_of(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits, y)


model = torch.nn.Linear(32, 50000)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    loss = loss_of(model, torch.randn(4, 32), torch.randint(0, 50000, (4,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
