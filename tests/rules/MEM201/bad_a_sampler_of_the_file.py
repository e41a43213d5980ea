# a network of the file has no pipeline to see to the grad mode

import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(64, 64)

    def forward(self, x, guidance_scale=1.0):
        return self.net(x) * guidance_scale


def evaluate(loader):
    model = Sampler().cuda()
    model.eval()
    for x in loader:
        print(model(x.cuda(), guidance_scale=7.5).argmax(1).tolist())  #! MEM201 error
