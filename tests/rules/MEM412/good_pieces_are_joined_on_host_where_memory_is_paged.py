# the pieces are joined on the host, where memory is paged and no allocator caches blocks

import torch


def scores(model, loader):
    model.cuda().eval()
    everything = torch.empty(0, 1000)
    with torch.no_grad():
        for x, _ in loader:
            everything = torch.cat([everything, model(x.cuda()).cpu()])
    return everything
