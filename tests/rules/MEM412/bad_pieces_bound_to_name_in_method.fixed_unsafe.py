# a piece with a name of its own: the list would hold what a later line could write into

import torch
from torch import nn


class Extractor:
    def __init__(self, net):
        self.net = net.cuda().eval()

    @torch.no_grad()
    def features(self, loader):
        bank = [torch.zeros(0, 512, device="cuda")]
        for images, _ in loader:
            out = self.net(images.cuda())
            bank.append(out)
        bank = torch.cat(bank, dim=0)
        return nn.functional.normalize(bank, dim=1)
