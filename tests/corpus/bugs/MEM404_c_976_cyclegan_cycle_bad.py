from itertools import cycle

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms as T


class Trainer:
    def __init__(self, opts, G, D):
        self.opts = opts
        self.G, self.D = G.cuda(), D.cuda()
        ds_a = datasets.ImageFolder(opts.a, T.ToTensor())
        ds_b = datasets.ImageFolder(opts.b, T.ToTensor())
        self.loader_a = DataLoader(ds_a, opts.batch, shuffle=True, num_workers=opts.nw)
        self.loader_b = DataLoader(ds_b, opts.batch, shuffle=True, num_workers=opts.nw)
        self.optG = torch.optim.Adam(G.parameters(), 2e-4)

    def fit(self):
        for ep in range(self.opts.epochs):
            for (a, _), (b, _) in zip(self.loader_a, cycle(self.loader_b)):  #! MEM404
                a, b = a.cuda(), b.cuda()
                loss = (self.G(a) - b).abs().mean()
                self.optG.zero_grad()
                loss.backward()
                self.optG.step()
