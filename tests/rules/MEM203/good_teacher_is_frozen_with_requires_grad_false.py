# the teacher is frozen with requires_grad_(False)

import torch
from torch import nn

teacher, student = nn.Linear(8, 3), nn.Linear(8, 3)
teacher.requires_grad_(False)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for x in torch.randn(10, 4, 8):
    loss = (student(x) - teacher(x)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
