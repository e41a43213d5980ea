# nothing steps in the loop: whoever gets the sum may differentiate it once more

import torch


def sharpness(net, loader, criterion):
    total = 0.0
    for x, y in loader:
        loss = criterion(net(x), y)
        loss.backward(retain_graph=True)
        total = total + loss
    return total
