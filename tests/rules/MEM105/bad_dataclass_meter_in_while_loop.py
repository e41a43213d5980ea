# dataclass meter in a while loop

from dataclasses import dataclass

import torch


@dataclass
class Mean:
    total: float = 0.0
    count: int = 0

    def update(self, value, weight=1):
        self.total += value * weight
        self.count += weight


net = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.RMSprop(net.parameters())
meter, step = Mean(), 0
while step < 200:
    batch = torch.randn(8, 4)
    opt.zero_grad()
    loss = (net(batch) - batch.prod(1, keepdim=True)).square().mean()
    loss.backward()
    opt.step()
    meter.update(loss, len(batch))  #! MEM105 warning
    step += 1
print(float(meter.total) / meter.count)
