# `to("cpu")` is an operation like any other: what it was computed from stays

import torch
from torchvision.models import resnet18

from street import loader

net = resnet18().eval()
kept = []


def grab(module, given, out):
    kept.append(out.to("cpu"))  #! MEM110


net.layer3.register_forward_hook(grab)
for x in loader:
    print(net(x).argmax(1).tolist())
