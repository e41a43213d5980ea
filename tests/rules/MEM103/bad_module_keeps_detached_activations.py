# the forward pass of a module in view keeps its features, call after call; detached, or made under no_grad

import torch
from torch import nn
from torchvision.models import resnet50


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = resnet50(weights="DEFAULT")
        self.seen = []

    def forward(self, x):
        z = self.backbone(x)
        self.seen.append(z.detach())  #! MEM103 warning
        return z


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1000, 64)
        self.kept = []

    def forward(self, x):
        h = self.layer(x)
        self.kept.append(h)  #! MEM103 warning
        return h


probe, tower = Probe().cuda().eval(), Tower().cuda()
total = torch.zeros(64).cuda()
with torch.no_grad():
    for x, _ in torch.utils.data.DataLoader(torch.load("images.pt", map_location="cpu"), 64):
        total += tower(probe(x.cuda()).softmax(1).cuda()).sum(0)
print(total.mean().item())
