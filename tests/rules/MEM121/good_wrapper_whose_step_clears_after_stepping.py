# a wrapper whose step clears after stepping

import torch


class ScheduledOptim:
    def __init__(self, optimizer):
        self._optimizer = optimizer

    def step_and_update_lr(self):
        self._optimizer.step()
        self._optimizer.zero_grad()


net = torch.nn.Linear(4, 4)
optimizer = ScheduledOptim(torch.optim.Adam(net.parameters()))
for i in range(30):
    net(torch.randn(2, 4)).mean().backward()
    optimizer.step_and_update_lr()
