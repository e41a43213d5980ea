# the averager takes .data, as the older scripts do

import torch
from torch.autograd import Variable


class averager:
    def __init__(self):
        self.reset()

    def add(self, v):
        if isinstance(v, Variable):
            count, v = v.data.numel(), v.data.sum()
        else:
            count, v = v.numel(), v.sum().item()
        self.n_count += count
        self.sum += v

    def reset(self):
        self.n_count, self.sum = 0, 0


loss_avg = averager()
net = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(20, 8, 4):
    cost = net(x).pow(2).mean()
    opt.zero_grad()
    cost.backward()
    opt.step()
    loss_avg.add(cost)
