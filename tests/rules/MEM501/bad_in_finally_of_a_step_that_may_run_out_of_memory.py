# in `finally` of a step that may run out of memory

import torch


def train_step(model, optimizer, batch):
    try:
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        return loss.item()
    except torch.cuda.OutOfMemoryError:
        return None
    finally:
        torch.cuda.empty_cache()  #! MEM501 warning


def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        print(train_step(model, optimizer, batch))
