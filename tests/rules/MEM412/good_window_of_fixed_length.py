# a window: the slice keeps the last thousand rows

import torch


def recent(model, loader):
    model.cuda().eval()
    window = torch.empty(0, 128, device="cuda")
    with torch.no_grad():
        for x, _ in loader:
            window = torch.cat([window, model(x.cuda())])[-1000:]
    return window
