# of two branches one adds to the sum: they are one finding with one fix

import torch
import torch.nn.functional as F


def train(net, optimizer, batches, weighted):
    total = 0
    for step, (x, y) in enumerate(batches):
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if weighted:
            total += (loss * len(x)).detach()
        else:
            total += loss.detach()
    return total.item()


def both(net, optimizer, batches):
    total, worst = 0, 0
    for step, (x, y) in enumerate(batches):
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if step > 100:
            worst += loss.detach()
    return total.item(), worst.item()
