# What a loader gives under a name is what it is.

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, classes):
    identity = torch.eye(classes)
    for batch in loader:
        loss = F.cross_entropy(model(batch["x"]), batch["y"]) + 0.1 * (model.weight - identity).norm()
        loss.backward()
        optimizer.step()
