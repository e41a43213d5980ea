# Nothing is converted: the network computes in float32.

import torch.nn.functional as F


def step(model, x, y, vocab_size, autocast=None):
    logits = model(x).view(-1, vocab_size)
    loss = F.cross_entropy(logits.float(), y.view(-1))
    loss.backward()
    return loss
