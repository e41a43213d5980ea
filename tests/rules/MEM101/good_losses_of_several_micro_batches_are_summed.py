# losses of several micro-batches are summed for one backward at the end

import torch
import torch.nn.functional as F


def big_step(model, optimizer, micro_batches):
    optimizer.zero_grad()
    total = 0
    for x, y in micro_batches:
        total = total + F.mse_loss(model(x), y)
    total = total / len(micro_batches)
    total.backward()
    optimizer.step()
    return total.item()


model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
print(big_step(model, optimizer, [(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(4)]))
