# The step has its network and optimizer by partial, and returns the loss

from functools import partial

import torch
import torch.nn.functional as F


def step(net, optimizer, images, labels):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(images.cuda()), labels.cuda())
    loss.backward()
    optimizer.step()
    return loss


def train(net, batches):
    one = partial(step, net.cuda(), torch.optim.Adam(net.parameters()))
    total = 0
    for images, labels in batches:
        total += one(images, labels)  #! MEM101 warning
    print(total / len(batches))
