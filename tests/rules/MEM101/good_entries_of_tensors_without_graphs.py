# What the entries take in has no graph, or the tensor is made for one step and differentiated in it.

import torch
import torch.nn.functional as F


def fit(net, loader, optimizer, device):
    sums, counts = torch.zeros(3, device=device), torch.zeros(3)
    for x, labels in loader:
        out = net(x.to(device))
        parts = torch.zeros(3, device=device)
        parts[0] += F.cross_entropy(out, labels.to(device))
        parts[1] += out.pow(2).mean()
        parts[2:] += out.abs().mean()
        optimizer.zero_grad()
        parts.sum().backward()
        optimizer.step()
        sums[0] += parts[0].detach()
        sums[1] += parts[1].item()
        counts[labels % 3] += 1
        with torch.no_grad():
            sums[2] += net(x.to(device)).mean()
    return sums / counts


def unroll(cell, sequences, optimizer):
    for steps, goal in sequences:
        state = torch.zeros(16)
        for step in steps:
            state[:8] += cell(step)
        loss = (state - goal).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def stitch(net, crops, height, width):
    whole, seen = torch.zeros(1, height, width), torch.zeros(1, height, width)
    for crop, top, left in crops:
        whole[:, top : top + 64, left : left + 64] += net(crop)[0]
        seen[:, top : top + 64, left : left + 64] += 1
    return whole / seen
