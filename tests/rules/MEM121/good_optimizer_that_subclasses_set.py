# the base class leaves the optimizer None, and zeroes it by its name in each step all the same

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, fp16=False):
        super().__init__()
        self.optimizer, self.fp16 = None, fp16

    def fetch_optimizer(self):
        return

    def start(self):
        if self.optimizer is None:
            self.optimizer = self.fetch_optimizer()
        if self.fp16:
            self.scaler = torch.amp.GradScaler("cuda")

    def train_one_step(self, data):
        self.optimizer.zero_grad()
        _, loss = self(**data)
        if self.fp16:
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def fit(self, train_loader):
        self.start()
        for data in train_loader:
            print(self.train_one_step(data))
