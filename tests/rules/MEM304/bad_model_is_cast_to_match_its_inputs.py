# method of a trainer class: the model is cast to match its inputs

import torch
from torch import nn


class Trainer:
    def __init__(self, width):
        self.net = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.net.cuda()
        self.net.double()  #! MEM304 warning
        self.opt = torch.optim.Adam(self.net.parameters())

    def step(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()


trainer = Trainer(16)
