# an own class called DataLoader

import torch


class DataLoader:
    def __init__(self, data, batch_size):
        self.data, self.batch_size = data, batch_size

    def __iter__(self):
        return iter(self.data.split(self.batch_size))


net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(100, 4), 10):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
