# the same over a loader keeps a data set on the device; no fix, for the caller may need it there

import torch


@torch.no_grad()
def embed(encoder, loader, device):
    found = []
    for batch in loader:
        found.append(encoder(batch.to(device))[0])  #! MEM103 warning
    return torch.cat(found)
