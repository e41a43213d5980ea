# callable meter, two losses of one step

import torch
from torch import nn


class Ema:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.state = None

    def __call__(self, value):
        if self.state is None:
            self.state = value
        else:
            self.state = self.beta * self.state + (1 - self.beta) * value
        return self.state


def train(net, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    smooth = Ema()
    for x in batches:
        rec = (net(x) - x).pow(2).mean()
        opt.zero_grad()
        rec.backward()
        opt.step()
        smooth(rec)  #! MEM105 warning
    return float(smooth.state)


print(train(nn.Linear(5, 5), torch.randn(60, 8, 5)))
