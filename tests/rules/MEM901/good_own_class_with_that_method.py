# an own class with that method

import torch


class Amp:
    def scale_loss(self, loss, factor):
        return loss * factor


amp = Amp()
net = torch.nn.Linear(2, 1)
amp.scale_loss(net(torch.randn(3, 2)).mean(), 128.0).backward()
