# without a graph the copy on the host is all that stays

import torch
from torchvision.models import resnet18

from street import loader

net = resnet18().eval()
kept = []


def grab(module, given, out):
    kept.append(out.cpu())


net.layer3.register_forward_hook(grab)
with torch.inference_mode():
    for x in loader:
        print(net(x).argmax(1).tolist())
