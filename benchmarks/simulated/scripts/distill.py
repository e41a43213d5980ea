"""A student from a teacher: softened targets, the teacher under no_grad, averaged weights of swa_utils, update_bn."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset


def conv_bn(i, o, s=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Basic(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a, self.b = conv_bn(i, o, s), nn.Sequential(nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o))
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o)) if s > 1 or i != o else nn.Sequential()

    def forward(self, x):
        return F.relu(self.b(self.a(x)) + self.down(x))


def resnet(width, depth, classes=100):
    layers, i = [conv_bn(3, width)], width
    for stage in range(3):
        for b in range(depth):
            layers.append(Basic(i, width << stage, 2 if b == 0 and stage else 1))
            i = width << stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(i, classes))


class Distiller(nn.Module):
    def __init__(self, teacher, student, T=4.0, alpha=0.9):
        super().__init__()
        self.teacher, self.student, self.T, self.alpha = teacher, student, T, alpha

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x, y):
        with torch.no_grad():
            t = self.teacher(x)
        s = self.student(x)
        kd = F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean") * self.T**2
        return s, self.alpha * kd + (1 - self.alpha) * F.cross_entropy(s, y)


torch.manual_seed(0)
device = torch.device("cuda", 0)
cfg = dict(batch_size=512, epochs=4, swa_start=1, lr=0.1)
x, y = torch.randn(4096, 3, 32, 32), torch.randint(0, 100, (4096,))
loader = DataLoader(TensorDataset(x, y), batch_size=cfg["batch_size"], shuffle=True, pin_memory=True)
distiller = Distiller(resnet(128, 4), resnet(64, 3)).to(device)
optimizer = torch.optim.SGD(distiller.student.parameters(), lr=cfg["lr"], momentum=0.9, nesterov=True, weight_decay=5e-4)
averaged, swa_scheduler = AveragedModel(distiller.student), SWALR(optimizer, swa_lr=0.05)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
for epoch in range(cfg["epochs"]):
    distiller.train()
    correct = torch.zeros((), device=device)
    for images, labels in loader:
        images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        optimizer.zero_grad()
        logits, loss = distiller(images, labels)
        loss.backward()
        optimizer.step()
        correct += (logits.argmax(1) == labels).sum()
    if epoch >= cfg["swa_start"]:
        averaged.update_parameters(distiller.student)
        swa_scheduler.step()
    else:
        scheduler.step()
    print(epoch, (correct / len(x)).item())
update_bn(loader, averaged, device=device)
averaged.eval()
with torch.no_grad():
    hits = sum((averaged(a.to(device)).argmax(1).cpu() == b).sum().item() for a, b in loader)
print(hits / len(x))
