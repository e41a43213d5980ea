# predictions of every batch sent as objects

import torch
import torch.distributed as dist


def collect(model, val_loader, device):
    results = []
    with torch.no_grad():
        for x in val_loader:
            masks = model(x.to(device)).sigmoid()
            everyone = [None] * dist.get_world_size()
            dist.all_gather_object(everyone, {"masks": masks})  #! MEM606 warning
            results.append(len(everyone))
    return results
