# numbers to be shown, which code out of view gives beside the loss: nothing says that they have a graph

import torch
from lib import build, Criterion
from data import loader

model, criterion = build(), Criterion()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
totals = {}
for x, y in loader:
    pred = model(x)
    loss, logs = criterion(pred, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k in logs:
        if k not in totals:
            totals[k] = 0.0
        totals[k] += logs[k]
print(totals)
