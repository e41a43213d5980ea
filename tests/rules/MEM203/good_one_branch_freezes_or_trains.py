# networks from branches: one is trained by the optimizer, the others are frozen after the branches

import torch
import torchvision.models as models
from torch.nn import functional as F


def distill(arch, loader):
    if arch == "small":
        student = models.resnet18()
        teacher = models.resnet34(weights="DEFAULT")
    else:
        student = models.resnet34()
        teacher = models.resnet50(weights="DEFAULT")
    for parameter in teacher.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.mse_loss(student(x), teacher(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
