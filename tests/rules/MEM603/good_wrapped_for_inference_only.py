# a class that loads trained networks and uses them: no gradients, so nothing is kept twice

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class Pretrained(torch.nn.Module):
    def __init__(self, parts, device, freeze=True):
        super().__init__()
        self.parts = torch.nn.ModuleDict(parts).to(device)
        self.device = device
        if freeze:
            self.parts.eval()
            for p in self.parts.parameters():
                p.requires_grad = False
        self.wrap()

    def wrap(self):
        for name, part in self.parts.items():
            if any(p.requires_grad for p in part.parameters()):
                self.parts[name] = DDP(part, device_ids=[self.device])

    @torch.no_grad()
    def embed(self, x):
        return self.parts["encoder"](x.to(self.device))
