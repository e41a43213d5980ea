# Mixed targets are no labels.

import torch.nn.functional as F


def mixed_loss(model, x, y, other, share, classes):
    a, b = F.one_hot(y, classes).float(), F.one_hot(other, classes).float()
    return F.cross_entropy(model(x), share * a + (1 - share) * b)
