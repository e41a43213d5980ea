# the teacher follows the gradients that the student's loss gives it, without an optimizer

import torch
from torch import nn

teacher, student = nn.Linear(8, 3), nn.Linear(8, 3)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for x in torch.randn(10, 4, 8):
    targets = teacher(x)
    loss = nn.functional.mse_loss(student(x), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for p in teacher.parameters():
        p.data.add_(p.grad, alpha=-0.1)
        p.grad = None
