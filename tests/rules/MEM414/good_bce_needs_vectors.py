# Losses that take a number for each class: there is no other way to write the target.

import torch.nn.functional as F


def loss_of(model, x, y, classes):
    target = F.one_hot(y, classes).float()
    return F.binary_cross_entropy_with_logits(model(x), target) + F.mse_loss(model(x).softmax(1), target)
