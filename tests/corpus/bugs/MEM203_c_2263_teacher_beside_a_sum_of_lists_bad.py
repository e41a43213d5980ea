"""The teacher is in no optimizer; the student is, beside a scale, in a sum of lists."""
import torch
from torch import nn


def distill(loader):
    teacher = nn.Sequential(nn.Linear(512, 4096), nn.ReLU(), nn.Linear(4096, 512)).cuda()
    student = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 512)).cuda()
    scale = nn.Parameter(torch.ones(512, device="cuda"))
    adam = torch.optim.Adam(list(student.parameters()) + [scale], lr=1e-3)
    for x in loader:
        x = x.cuda()
        goal = teacher(x)  #! MEM203
        loss = nn.functional.mse_loss(student(x) * scale, goal)
        adam.zero_grad()
        loss.backward()
        adam.step()
