# teacher and student are trained together

import torch
from torch import nn

teacher, student = nn.Linear(8, 3), nn.Linear(8, 3)
opt = torch.optim.SGD(list(teacher.parameters()) + list(student.parameters()), lr=0.1)
for x, y in zip(torch.randn(10, 4, 8), torch.randn(10, 4, 3)):
    t = teacher(x)
    loss = (student(x) - t.detach()).pow(2).mean() + (t - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
