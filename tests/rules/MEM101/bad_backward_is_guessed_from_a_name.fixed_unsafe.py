# what `adapt` does with the loss can only be guessed, so the fix is not safe

import torch
from torch import nn
from trainers.inner import adapt


def train(model: nn.Module, loader):
    total = torch.zeros(())
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        adapt(loss)
        total += loss.detach()
    return float(total)
