# made on first use and kept in an attribute

import torch
from torch.utils.data import DataLoader


class Mixer:
    def __init__(self, ds):
        self.loader = DataLoader(ds, batch_size=4, shuffle=True)
        self.it = None

    def draw(self):
        if self.it is None:
            self.it = iter(self.loader)
        try:
            return next(self.it)
        except StopIteration:
            self.it = iter(self.loader)
            return next(self.it)


mixer = Mixer(torch.randn(64, 4))
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    opt.zero_grad()
    net(mixer.draw()).mean().backward()
    opt.step()
