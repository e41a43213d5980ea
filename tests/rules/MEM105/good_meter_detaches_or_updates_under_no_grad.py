# the meter detaches, or updates under no_grad

import torch


class Mean:
    def __init__(self):
        self.total = torch.zeros(())
        self.best = None

    def update(self, loss):
        self.total += loss.detach()

    @torch.no_grad()
    def track(self, loss):
        self.best = loss * 1.0 if self.best is None else torch.minimum(self.best, loss)

    def add(self, loss):
        with torch.no_grad():
            self.total = self.total + loss


m = Mean()
net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
for _ in range(20):
    loss = net(torch.randn(4, 3)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    m.update(loss)
    m.track(loss)
    m.add(loss)
