# a matrix takes in blocks: no list or dictionary has two slices for a key, whatever the attribute began as

import torch


class Kernel:
    def __init__(self, net, allocate):
        self.net, self.allocate = net.cuda(), allocate
        self.matrix = {}

    @torch.no_grad()
    def fit(self, loader, size):
        self.matrix = self.allocate(size * len(loader)) or self.matrix
        for i, (x, _) in enumerate(loader):
            out = self.net(x.cuda())
            self.matrix[i * size : (i + 1) * size, :] = out
        return self.matrix.cpu()
