# from the GPU, `.cpu()` copies the slice only

import torch


def embed(model, loader):
    model.cuda().eval()
    kept = []
    with torch.no_grad():
        for x in loader:
            hidden = model(x.cuda())
            kept.append(hidden[:, 0].cpu())
            kept.append(hidden[:, 1].cpu().numpy())
    return kept
