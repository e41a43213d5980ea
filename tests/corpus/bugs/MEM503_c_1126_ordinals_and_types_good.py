import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1,3"

import torch
from torch import nn


def hidden():
    return {**os.environ, "CUDA_VISIBLE_DEVICES": ""}


student = nn.Linear(4, 4).to("cuda:0")
teacher = nn.Linear(4, 4).to("cuda:1")
x = torch.rand(2, 4)
opt = torch.optim.SGD(student.parameters(), 0.1)
for _ in range(3):
    with torch.no_grad():
        t = teacher(x.to("cuda:1"))
    opt.zero_grad()
    (student(x.to("cuda:0")) - t.to("cuda:0")).pow(2).mean().backward()
    opt.step()
