# a wrapper over one device that other lines open again: without it they would fail

import torch


def train(local_rank, model, optimizer, loader, save):
    model = model.to(local_rank)
    model = torch.nn.parallel.DataParallel(model, device_ids=[local_rank])  #! MEM601 warning
    for x, y in loader:
        optimizer.zero_grad()
        loss = model(x.to(local_rank), y.to(local_rank)).mean()
        loss.backward()
        optimizer.step()
    save(model.module.encoder)
