import argparse
from collections import defaultdict

import torch
import torch.nn as nn
from torchvision import models


class ActivationLogger:
    """Keeps activations for the histogram at the end."""

    def __init__(self, net, kinds=(nn.ReLU,)):
        self.acts = defaultdict(list)
        self.handles = []
        for name, m in net.named_modules():
            if isinstance(m, kinds):
                self.handles.append(m.register_forward_hook(self._save(name)))

    def _save(self, name):
        def fn(module, inputs, output):
            self.acts[name].append(output)  #! MEM110
        return fn

    def close(self):
        for h in self.handles:
            h.remove()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=500)
    args = ap.parse_args()
    net = models.resnet18(num_classes=100).cuda()
    log = ActivationLogger(net)
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for step in range(args.steps):
        x, y = torch.randn(64, 3, 64, 64).cuda(), torch.randint(0, 100, (64,)).cuda()
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    log.close()


main()
