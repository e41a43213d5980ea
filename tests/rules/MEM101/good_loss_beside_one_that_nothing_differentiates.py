# nothing runs backward here: the function may evaluate, and give numbers

import torch
from engine import losses_of


def evaluate(net, loader):
    losses, boxes = 0.0, 0.0
    for images, targets in loader:
        loss, box_loss = losses_of(net, images.cuda(), targets)
        losses += loss
        boxes += box_loss
    return torch.tensor([losses, boxes])
