# Distillation as a module of its own: the teacher is in eval mode, but its forward pass is recorded.
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18, resnet50


@dataclass
class Cfg:
    temperature: float = 4.0
    alpha: float = 0.7
    lr: float = 0.1


class Distiller(nn.Module):
    def __init__(self, student, teacher, cfg):
        super().__init__()
        self.student, self.teacher, self.cfg = student, teacher, cfg
        self.teacher.eval()

    def forward(self, image, label):
        t = self.cfg.temperature
        logits = self.student(image)
        with torch.no_grad():
            soft = self.teacher(image)
        kd = F.kl_div(F.log_softmax(logits / t, 1), F.softmax(soft / t, 1), reduction="batchmean") * t * t
        return self.cfg.alpha * kd + (1 - self.cfg.alpha) * F.cross_entropy(logits, label)


def run(cfg=Cfg(), steps=20):
    model = Distiller(resnet18(num_classes=10), resnet50(num_classes=10), cfg)
    optimizer = torch.optim.SGD(model.student.parameters(), cfg.lr, momentum=0.9)
    for _ in range(steps):
        image, label = torch.rand(4, 3, 64, 64), torch.randint(10, (4,))
        loss = model(image, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


print(run())
