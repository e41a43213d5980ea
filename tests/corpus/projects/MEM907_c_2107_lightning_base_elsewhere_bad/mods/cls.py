import torch
from .base import BaseModule


class Classifier(BaseModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 3)

    def training_step(self, b, i):
        return self.net(b).mean()

    def training_epoch_end(self, outs):  #! MEM907
        print(len(outs))
