# the flat gradient of every step, through a local name

import torch


class Trainer:
    def __init__(self, net, optimizer, loss_fn):
        self.net, self.optimizer, self.loss_fn = net, optimizer, loss_fn
        self.trajectory = []

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.loss_fn(self.net(x), y).backward()
            flat = torch.cat([p.grad.flatten() for p in self.net.parameters()])
            self.trajectory.append(flat)  #! MEM111 warning
            self.optimizer.step()
