# a network that learns a metric is called like what measures predictions

import torch
from torch import nn

metric = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3)).cuda()
optimizer = torch.optim.SGD(metric.parameters(), lr=0.1)


def evaluate(loader):
    metric.eval()
    right = 0
    for x, y in loader:
        out = metric(x)  #! MEM201 error
        right += (out.argmax(1) == y).sum().item()
    return right


for _ in range(3):
    for x, y in train_loader:
        loss = nn.functional.cross_entropy(metric(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(evaluate(test_loader))
