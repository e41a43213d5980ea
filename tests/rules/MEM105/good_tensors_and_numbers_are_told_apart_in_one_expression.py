# a conditional expression takes the number out of a tensor, and passes on what is none

from collections import defaultdict

import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


def fit(model, loader, optimizer, epochs):
    model.cuda()
    meters = defaultdict(AverageMeter)
    for epoch in range(epochs):
        for x, y in loader:
            out = model(x.cuda())
            losses = {"ce": nn.functional.cross_entropy(out, y.cuda()), "l2": 0.1}
            optimizer.zero_grad()
            sum(losses.values()).backward()
            optimizer.step()
            for k, v in losses.items():
                meters[k].update(v.item() if isinstance(v, torch.Tensor) else v)
                meters["n" + k].update(v if not torch.is_tensor(v) else float(v))
                meters["h" + k].update(losses[k].item() if hasattr(losses[k], "item") else losses[k])
                meters["f" + k].update(v if isinstance(v, (int, float)) else v.item())
