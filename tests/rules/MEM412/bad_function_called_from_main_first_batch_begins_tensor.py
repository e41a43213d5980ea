# function called from main: the first batch begins the tensor, all others are joined to it

import torch


def embed(model, loader, device="cuda"):
    model.to(device).eval()
    feats = None
    with torch.no_grad():
        for x, _ in loader:
            f = model(x.to(device))
            feats = f if feats is None else torch.cat((feats, f), dim=0)  #! MEM412 advice
    return feats
