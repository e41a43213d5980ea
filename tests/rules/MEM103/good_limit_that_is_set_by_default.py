# a few batches for a picture

import torch


def samples(model, loader, n_batch=4):
    model.eval()
    found = []
    with torch.no_grad():
        for i, (x, _) in enumerate(loader):
            found.append(model(x.cuda()))
            if n_batch and i >= n_batch:
                break
    return torch.cat(found).cpu()
