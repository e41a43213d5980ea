# numbers that begin at zero: three of them for each window are nothing

import torch


@torch.no_grad()
def agreement(maps, windows, loader):
    device = torch.device("cuda")
    totals, starts = [], []
    for batch in loader:
        matching = torch.zeros((), dtype=torch.int64, device=device)
        covered = torch.zeros((1,), device=device)
        rounded = batch.to(device).round()
        for width in windows:
            matching += rounded[width].to(dtype=torch.int64).sum()
            covered += (rounded[width] > 0).sum()
        totals.extend((matching, covered, rounded.sum()))
        starts.append(matching)
    return torch.stack(totals).cpu().tolist(), torch.stack(starts).cpu().tolist()
