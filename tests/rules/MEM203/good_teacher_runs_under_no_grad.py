# the teacher runs under no_grad

import torch
from torch import nn

teacher, student = nn.Linear(8, 3), nn.Linear(8, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for x in torch.randn(10, 4, 8):
    with torch.no_grad():
        t = teacher(x)
    loss = (student(x) - t).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
