# imported by name and used in a trainer's method

import torch
from torch.cuda.amp import autocast, scale_loss  #! MEM901 error


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optim = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, batch):
        self.optim.zero_grad()
        with autocast():
            loss = self.net(batch).mean()
        with scale_loss(loss, self.optim) as scaled:  #! MEM901 error
            scaled.backward()
        self.optim.step()
