# the teacher is made in the branches of an if

import torch
import torchvision.models as models
from torch.nn import functional as F


def distill(arch, student, loader):
    if arch == "r18":
        teacher = models.resnet18(weights="DEFAULT")
    elif arch == "r50":
        teacher = models.resnet50(weights="DEFAULT")
    else:
        teacher = models.vgg16(weights="DEFAULT")
    teacher = teacher.cuda().eval()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x, y in loader:
        known = teacher(x)  #! MEM203 warning
        loss = F.mse_loss(student(x), known.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
