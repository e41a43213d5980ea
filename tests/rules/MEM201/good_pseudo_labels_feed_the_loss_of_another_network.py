# the labels are indices that the loss of the student reads: more than display

import torch
from torch import nn

from data import loader, unlabelled

student, teacher = nn.Linear(8, 8), nn.Linear(8, 8)
opt = torch.optim.SGD([*student.parameters(), *teacher.parameters()], lr=0.1)
for (x, y), u in zip(loader, unlabelled):
    pseudo = teacher(u).argmax(1)
    loss = nn.functional.cross_entropy(student(u), pseudo) + nn.functional.cross_entropy(teacher(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(pseudo.float().mean().item())
