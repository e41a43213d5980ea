# compute_loss only compares: no forward pass runs before zero_grad

import torch


def fit(model, optimizer: torch.optim.Optimizer, batches):
    for batch in batches:
        loss = model.compute_loss(batch["scores"], batch["target"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
