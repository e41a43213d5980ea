# a plain library function: the caller decides what to do with the pyramid it returns

import torch
import torch.nn.functional as F


def pyramid(model, image, levels=4):
    maps = []
    for _ in range(levels):
        maps.append(model(image))
        image = F.avg_pool2d(image, 2)
    return maps


model = torch.nn.Conv2d(1, 4, 3, padding=1)
opt = torch.optim.Adam(model.parameters())
for _ in range(5):
    loss = sum(m.pow(2).mean() for m in pyramid(model, torch.randn(1, 1, 32, 32)))
    opt.zero_grad()
    loss.backward()
    opt.step()
