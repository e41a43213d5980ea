# objects without tensors

import torch
import torch.distributed as dist


def counts(model, loader):
    rows = []
    with torch.no_grad():
        for x in loader:
            rows.append(model(x.cuda()).argmax(1).tolist())
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, rows)
    return everyone
