# a tensor that replicas averaged is turned into a number by a helper

import torch


def reduce_value(value, world_size):
    with torch.no_grad():
        value = value.clone()
        torch.distributed.all_reduce(value)
        value /= world_size
    return value


model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
mean_loss = torch.zeros(1)
for step, x in enumerate(torch.randn(50, 8, 4)):
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    loss = reduce_value(loss, 2)
    mean_loss = (mean_loss * step + loss.detach()) / (step + 1)
