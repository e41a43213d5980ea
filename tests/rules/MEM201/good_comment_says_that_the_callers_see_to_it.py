# callers out of view run this under inference_mode, as a comment above the block says

import torch
import torch.nn.functional as F


class Evaluator:
    def __init__(self, network, scale):
        self.network, self.scale = network, scale

    def losses(self, loader, device):
        self.network.eval()
        found = torch.empty(len(loader), device=device)
        for i, (x, y) in enumerate(loader):
            # Under inference_mode from the caller; compiled where that is asked for.
            with torch.autocast(device.type):
                found[i] = F.cross_entropy(self.network(x.to(device)), y.to(device)).detach()
        return found.mean().item()
