# the value is detached one line earlier, or rebound to a number

import torch

model = torch.nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = avg = 0
for i in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(2, 5)).mean()
    loss.backward()
    optimizer.step()
    loss_value = loss.detach()
    total += loss_value
    loss = loss.item()
    avg += (loss - avg) / (i + 1)
print(total, avg)
