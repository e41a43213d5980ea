# one row for each loader that `enumerate` gives

import torch


def rows(network, loaders, device):
    network.to(device).eval()
    kept = []
    with torch.no_grad():
        for number, loader in enumerate(loaders):
            best = torch.zeros(16, device=device)
            for x, _ in loader:
                best = torch.maximum(best, network(x.to(device)).amax(0))
            kept.append(best)
    return torch.stack(kept)
