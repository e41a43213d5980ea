# scaler form, cleared before the forward

import torch
from torch.amp import GradScaler, autocast


def train(model, loader, optimizer, criterion):
    scaler = GradScaler("cuda")
    for inputs, targets in loader:
        optimizer.zero_grad(set_to_none=True)
        with autocast("cuda"):
            loss = criterion(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
