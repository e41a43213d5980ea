# the meter converts what it is given

import torch


class SmoothedValue:
    def __init__(self):
        self.total, self.count, self.last = 0.0, 0, []

    def update(self, value, n=1):
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.last.append(value)
        self.count += n
        self.total += value * n


meter = SmoothedValue()
net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
for _ in range(20):
    loss = net(torch.randn(4, 3)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.update(loss)
