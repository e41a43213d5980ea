# the list is emptied in the loop

import torch


def write_features(model, loader, shard_size=100):
    buffer, shard = [], 0
    model.cuda().eval()
    with torch.no_grad():
        for x, _ in loader:
            buffer.append(model(x.cuda()))
            if len(buffer) == shard_size:
                torch.save(torch.cat(buffer).cpu(), f"shard{shard}.pt")
                buffer.clear()
                shard += 1
    return shard
