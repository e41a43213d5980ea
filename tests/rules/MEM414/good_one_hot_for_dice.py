# Another loss needs the vectors, so they are there anyway.

import torch.nn.functional as F


def loss_of(net, image, mask, classes):
    logits = net(image)
    target = F.one_hot(mask, classes).permute(0, 3, 1, 2).float()
    overlap = (logits.softmax(1) * target).sum()
    return F.cross_entropy(logits, target) + 1 - 2 * overlap / (logits.softmax(1).sum() + target.sum())
