# a method of its own saves the weights that were kept as an alias

import torch
from torch.nn.functional import cross_entropy


class Fitter:
    def __init__(self, net, optimizer):
        self.net = net
        self.optimizer = optimizer

    def save_best_checkpoint(self, weights):
        torch.save(weights, "best.pt")

    def fit(self, loader, judge):
        best, kept = 0, None
        for _ in range(10):
            for x, y in loader:
                self.optimizer.zero_grad()
                cross_entropy(self.net(x), y).backward()
                self.optimizer.step()
            score = judge(self.net)
            if score > best:
                best = score
                kept = self.net.state_dict()  #! MEM704 error
        self.save_best_checkpoint(kept)
