import torch
from torch import nn
from .base import Base


class Net(Base):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(2))
        self.losses = []

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, idx):
        x, y = batch
        loss = nn.functional.cross_entropy(self(x), y)
        self.log("loss", loss)
        self.losses.append(loss)  #! MEM127
        return loss

    def validation_step(self, batch, idx):
        x, y = batch
        acc = (self(x).argmax(1) == y).float().mean()
        self.log("acc", acc)
        return acc
