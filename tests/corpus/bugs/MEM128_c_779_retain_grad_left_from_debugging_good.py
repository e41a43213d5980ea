import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(10, 20), nn.Linear(20, 2)

    def forward(self, x):
        h = torch.relu(self.a(x))
        return self.b(h)


net = Two()
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(100):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 10)), torch.randint(2, (8,))).backward()
    opt.step()
