"""Distillation in a class; the teacher is put in eval() but records its graph."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision.models as models


class Distiller:
    def __init__(self, opts):
        self.teacher = models.resnet50(weights="DEFAULT").to(opts.device)
        self.student = models.resnet18(num_classes=1000).to(opts.device)
        self.teacher.eval()
        self.T = opts.temperature
        self.optim = torch.optim.SGD(self.student.parameters(), lr=opts.lr)
        self.device = opts.device

    def kd_loss(self, s, t):
        return F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean") * self.T ** 2

    def epoch(self, loader):
        self.student.train()
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            t = self.teacher(x)  #! MEM203
            s = self.student(x)
            loss = 0.5 * F.cross_entropy(s, y) + 0.5 * self.kd_loss(s, t.detach())
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
