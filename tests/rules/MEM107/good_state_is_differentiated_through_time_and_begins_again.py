# a leaky unit: the state is differentiated through time and begins again for every batch

import torch
from torch import nn

fc, out = nn.Linear(10, 20), nn.Linear(20, 2)
opt = torch.optim.Adam([*fc.parameters(), *out.parameters()])
for x, y in [(torch.rand(15, 4, 10), torch.randint(0, 2, (4,))) for _ in range(6)]:
    mem = torch.zeros(4, 20)
    running = torch.zeros(4, 2)
    for t in range(15):
        mem = 0.9 * mem + 0.1 * fc(x[t])
        running = 0.8 * running + 0.2 * out(torch.sigmoid(mem))
    loss = nn.functional.cross_entropy(running, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
