# the entry that was differentiated is detached before the record is kept

import torch


def run(task, loader, optimizer: torch.optim.Optimizer):
    records = []
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        out = task.training_step(batch, i)
        out["loss"].backward()
        optimizer.step()
        out["loss"] = out["loss"].item()
        records.append(out)
    return records
