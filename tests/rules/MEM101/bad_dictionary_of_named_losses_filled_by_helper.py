# dictionary of named losses, filled by a helper

from collections import defaultdict

import torch
from torch import nn

model = nn.ModuleDict({"body": nn.Linear(10, 20), "cls": nn.Linear(20, 5), "box": nn.Linear(20, 4)})
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)


def compute_losses(x, cls_target, box_target):
    h = torch.relu(model["body"](x))
    return {
        "cls": nn.functional.cross_entropy(model["cls"](h), cls_target),
        "box": nn.functional.smooth_l1_loss(model["box"](h), box_target),
    }


epoch_losses = defaultdict(float)
for i in range(200):
    losses = compute_losses(torch.randn(16, 10), torch.randint(0, 5, (16,)), torch.randn(16, 4))
    loss = sum(losses.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
    for name, value in losses.items():
        epoch_losses[name] += value  #! MEM101 warning
print({k: float(v) / 200 for k, v in epoch_losses.items()})
