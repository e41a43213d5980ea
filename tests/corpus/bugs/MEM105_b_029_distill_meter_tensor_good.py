import torch
import torch.nn as nn
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)

    def mean(self):
        return sum(self.values) / len(self.values)

    def clear(self):
        self.values = []


class Distiller:
    def __init__(self, teacher, student, T=4.0, alpha=0.9):
        self.teacher, self.student = teacher.eval().cuda(), student.cuda()
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.T, self.alpha = T, alpha
        self.meters = {"kd": Meter(), "ce": Meter()}
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.05, momentum=0.9, nesterov=True)

    def losses(self, x, y):
        with torch.no_grad():
            t = self.teacher(x)
        s = self.student(x)
        kd = F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean") * self.T ** 2
        return kd, F.cross_entropy(s, y)

    def epoch(self, loader):
        for m in self.meters.values():
            m.clear()
        self.student.train()
        for x, y in loader:
            kd, ce = self.losses(x.cuda(), y.cuda())
            loss = self.alpha * kd + (1 - self.alpha) * ce
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.meters["kd"].add(kd.item())
            self.meters["ce"].add(ce.item())
        return {k: float(m.mean()) for k, m in self.meters.items()}


def main(teacher, student, loader, epochs=240):
    d = Distiller(teacher, student)
    for e in range(epochs):
        print(e, d.epoch(loader))
