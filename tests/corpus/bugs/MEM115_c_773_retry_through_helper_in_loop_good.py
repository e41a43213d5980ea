import gc

import torch


def run_once(model, batch):
    out = model(batch)
    out.loss.backward()
    return out.loss.item()


def safe_step(model, batch):
    try:
        return run_once(model, batch)
    except torch.OutOfMemoryError:
        gc.collect()
    torch.cuda.empty_cache()
    return sum(run_once(model, part) for part in batch.chunk(4))


def train(model, loader, opt):
    for batch in loader:
        opt.zero_grad()
        print(safe_step(model, batch.cuda()))
        opt.step()
