# a second critic reads features of the first: only the picture is detached

import torch
from torch import nn

generator, body, head = nn.Linear(8, 64), nn.Linear(64, 32), nn.Linear(96, 1)
g_optim = torch.optim.Adam(generator.parameters(), 1e-4)
d_optim = torch.optim.Adam([*body.parameters(), *head.parameters()], 1e-4)

for step in range(1000):
    d_optim.zero_grad()
    fake = generator(torch.randn(16, 8))
    features = body(fake)  #! MEM204 warning
    score = head(torch.cat([features, features, torch.relu(features)], 1)).mean()
    score.backward()
    d_optim.step()
    g_optim.zero_grad()
    features = body(generator(torch.randn(16, 8)))
    (-head(torch.cat([features, features, features], 1)).mean()).backward()
    g_optim.step()
