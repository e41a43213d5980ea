# what each turn gives is put into a table that all turns share

import torch
import torch.nn.functional as F


def train(net: torch.nn.Module, loader, optimizer, types):
    kept = {}
    for step, (x, y) in enumerate(loader):
        out = net(x)
        kept[step] = out  #! MEM102 warning
        loss = F.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return len(kept)
