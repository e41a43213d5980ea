# normalization with weights of its own

from torch import nn


def evaluate(loader):
    layers = nn.Sequential(nn.InstanceNorm2d(4), nn.ReLU(), nn.BatchNorm2d(4)).cuda().eval()
    total = 0.0
    for x in loader:
        total += layers(x.cuda()).sum().item()  #! MEM201
    return total
