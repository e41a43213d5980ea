"""Two backward functions to choose from: one steps once per window, the other in every batch; both update then."""

import torch
from torch.amp import GradScaler, autocast


def build(model, optimizer, criterion, window, synchronous):
    scaler = GradScaler()

    def windowed(step, loss):
        scaler.scale(loss).backward()
        if step % window == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()

    def every_batch(step, loss):
        scaler.scale(loss).backward()
        optimizer.synchronize()
        with optimizer.skip_synchronize():
            scaler.step(optimizer)
            scaler.update()
        optimizer.zero_grad()

    finish = every_batch if synchronous else windowed

    def train(loader):
        for step, (x, y) in enumerate(loader, 1):
            with autocast("cuda", dtype=torch.float16):
                loss = criterion(model(x.cuda()), y.cuda())
            finish(step, loss)

    return train
