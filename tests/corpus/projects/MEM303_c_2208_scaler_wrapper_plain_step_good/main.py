import torch
from torch.utils.data import DataLoader

import core.models
from core.amp import AmpOptimizer
from core.loop import train
from core.registry import MODELS

model = MODELS.build("WideMLP").cuda()
opt = AmpOptimizer(torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9))
seen = {"loss": 0.0, "hit": 0}


def sink(**values):
    for key, value in values.items():
        seen[key] += value


for epoch in range(10):
    train(model, opt, DataLoader(torch.load("mnist.pt"), 128, shuffle=True), sink)
print(seen)
