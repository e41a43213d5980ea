# advice where a caller decides by an argument whether the whole is moved, a warning where it always is

import torch
from torch import nn


class Encoder:
    def __init__(self, net: nn.Module):
        self.net = net.cuda()

    @torch.no_grad()
    def encode(self, loader, as_array=True):
        found = []
        for batch in loader:
            found.append(self.net(batch.cuda()))  #! MEM103 advice
        if as_array:
            return torch.cat(found).cpu().numpy()
        return torch.cat(found)

    @torch.no_grad()
    def arrays(self, loader):
        found = []
        for batch in loader:
            found.append(self.net(batch.cuda()))  #! MEM103 warning
        return torch.cat(found).cpu().numpy()
