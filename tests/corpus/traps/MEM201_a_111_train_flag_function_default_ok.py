import torch
from torch import nn


class Experiment:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def _forward(self, x, y):
        return nn.functional.binary_cross_entropy_with_logits(self.net(x).squeeze(-1), y)

    def epoch(self, loader, train=True):
        self.net.train(train)
        prev = torch.is_grad_enabled()
        torch.set_grad_enabled(train)
        losses = []
        for x, y in loader:
            loss = self._forward(x, y)
            if train:
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            losses.append(loss.item())
        torch.set_grad_enabled(prev)
        return sum(losses) / len(losses)

    def run(self, tr, va, n):
        for i in range(n):
            print(i, self.epoch(tr), self.epoch(va, train=False))
