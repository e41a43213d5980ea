import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMATeacher:
    def __init__(self, student, m=0.996):
        self.model = copy.deepcopy(student)
        self.m = m
        self.center = torch.zeros(1, 64)

    def update_weights(self, student):
        for pt, ps in zip(self.model.parameters(), student.parameters()):
            pt.data = self.m * pt.data + (1 - self.m) * ps.data

    def update_center(self, out, c=0.9):
        self.center = c * self.center + (1 - c) * out.mean(dim=0, keepdim=True)  #! MEM107


student = nn.Sequential(nn.Flatten(), nn.Linear(3072, 256), nn.GELU(), nn.Linear(256, 64))
teacher = EMATeacher(student)
opt = torch.optim.AdamW(student.parameters(), lr=1e-4)
for view1, view2 in torch.utils.data.DataLoader(torch.load("views.pt"), batch_size=64, num_workers=4):
    s = student(view1)
    t = teacher.model(view2)  #! MEM203
    target = F.softmax((t - teacher.center.detach()) / 0.04, dim=-1).detach()
    loss = -(target * F.log_softmax(s / 0.1, dim=-1)).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    teacher.update_weights(student)
    teacher.update_center(t)
