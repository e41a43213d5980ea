# the function gets the network and its batch, backward runs through one of its losses, and the other is called one

import torch
from engine import losses_of


def train(net, loader):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    total, boxes = 0.0, 0.0
    for images, targets in loader:
        loss, box_loss = losses_of(net, images.cuda(), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        boxes += box_loss  #! MEM101 warning
    return total, boxes
