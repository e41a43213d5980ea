import torch
import torch.nn as nn
import torchvision

net = torchvision.models.densenet121(weights="DEFAULT")
for p in net.features.parameters():
    p.requires_grad = False
net.classifier = nn.Linear(1024, 14)
net.cuda()
opt = torch.optim.Adam(net.classifier.parameters(), 1e-4)  #? MEM205


class Meter:
    def __init__(self):
        self.n, self.v = 0, 0

    def __call__(self, value, n):
        self.v += value * n
        self.n += n
        return self.v / self.n


def epoch(loader):
    meter = Meter()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
        loss.backward()
        opt.step()
        avg = meter(loss.item(), len(x))
    return avg
