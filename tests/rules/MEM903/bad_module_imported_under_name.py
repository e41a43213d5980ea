# the module imported under a name

import torch
from torch.cuda import amp


def train(model, loader, optimizer):
    scaler = amp.GradScaler(enabled=True)  #! MEM903
    for x in loader:
        optimizer.zero_grad()
        with amp.autocast(enabled=True):  #! MEM903
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
