# of two trainers with the same attributes one steps by its scaler; the other one does not

import torch
from torch import nn


class Trainer:
    def __init__(self, net, amp):
        self.net, self.amp = net, amp
        self.optimizer = torch.optim.Adam(net.parameters())
        self.scaler = torch.amp.GradScaler("cuda")
        self.loss = nn.MSELoss()

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            if self.amp:
                with torch.autocast("cuda"):
                    loss = self.loss(self.net(x), y)
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                self.loss(self.net(x), y).backward()
                self.optimizer.step()


class ContrastiveTrainer:
    def __init__(self, net, amp):
        self.net, self.amp = net, amp
        self.optimizer = torch.optim.Adam(net.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def train(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            if self.amp:
                with torch.autocast("cuda"):
                    loss = self.net(x).logsumexp(0).mean()
                self.scaler.scale(loss).backward()
                self.optimizer.step()  #! MEM303 error
                self.scaler.update()
            else:
                self.net(x).logsumexp(0).mean().backward()
                self.optimizer.step()
