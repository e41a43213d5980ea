# A one-hot matrix that is returned with the loss has another reader.

import torch.nn.functional as F


def loss_of(model, x, y, classes):
    target = F.one_hot(y, classes).float()
    return F.cross_entropy(model(x), target), target
