"""tee, a dictionary of batches, and a generator expression made a list."""
import itertools

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CelebA


def statistics(root):
    loader = DataLoader(CelebA(root, download=False), batch_size=256, num_workers=8)
    first, second = itertools.tee(loader)  #! MEM404
    mean = sum(x.mean((0, 2, 3)) for x, _ in first) / len(loader)
    var = sum(((x - mean[None, :, None, None]) ** 2).mean((0, 2, 3)) for x, _ in second) / len(loader)
    return mean, var.sqrt()


class Replay:
    def __init__(self, root, net):
        self.loader = DataLoader(CelebA(root), batch_size=32, num_workers=4)
        self.seen, self.net = {}, net
        self.opt = torch.optim.SGD(net.parameters(), 0.1)

    def learn(self):
        for i, (x, y) in enumerate(self.loader):
            self.seen[i] = (x, y)  #! MEM404
            for x_, y_ in self.seen.values():
                self.opt.zero_grad()
                torch.nn.functional.binary_cross_entropy_with_logits(self.net(x_), y_.float()).backward()
                self.opt.step()


def attack_batches(root):
    loader = DataLoader(CelebA(root), batch_size=32, shuffle=True, num_workers=4)
    everything = [(x.half(), y) for x, y in loader]  #! MEM404
    return everything
