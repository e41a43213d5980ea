# each stream of the dictionary gives a batch of its own, for a forward pass of its own

import torch
from torch.nn.functional import cross_entropy
from tasks import encoder, task_loaders

optimizer = torch.optim.Adam(encoder.parameters())
streams = {name: iter(loader) for name, loader in task_loaders().items()}
for step in range(1000):
    optimizer.zero_grad()
    total = 0.0
    for name, stream in streams.items():
        x, y = next(stream)
        total = total + cross_entropy(encoder(x), y)  #! MEM118 warning
    total.backward()
    optimizer.step()
