# what code out of view made before the loop may have a graph, which a backward for each term would free

import torch
from torch.nn.functional import cross_entropy
from tasks import encoder, prototypes, task_loaders

optimizer = torch.optim.Adam(encoder.parameters())
loaders = task_loaders()
for step in range(1000):
    optimizer.zero_grad()
    shared = prototypes(step)
    total = 0.0
    for loader in loaders:
        x, y = next(iter(loader))
        total = total + cross_entropy(encoder(x) @ shared, y)
    total.backward()
    optimizer.step()
