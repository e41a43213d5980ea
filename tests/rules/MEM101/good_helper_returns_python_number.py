# the helper returns a Python number

import torch


def train_step(model, batch, optimizer):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


model = torch.nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
epoch_loss = 0
for i in range(100):
    epoch_loss += train_step(model, torch.randn(2, 5), optimizer)
print(epoch_loss / 100)
