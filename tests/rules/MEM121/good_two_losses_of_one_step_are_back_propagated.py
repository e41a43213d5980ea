# two losses of one step are back-propagated one after the other on purpose

import torch
from torch import nn

body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 2)
opt = torch.optim.Adam([*body.parameters(), *a.parameters(), *b.parameters()])
for i in range(50):
    opt.zero_grad()
    h = body(torch.randn(8, 4))
    a(h).pow(2).mean().backward(retain_graph=True)
    b(h).pow(2).mean().backward()
    opt.step()
