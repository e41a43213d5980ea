# what a forward pass leaves in an attribute carries its graph to whoever reads it

import torch
from torch import nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head = nn.Conv2d(3, 32, 3), nn.Linear(32, 10)
        self.features = None

    def forward(self, x):
        self.features = self.conv(x).relu()
        return self.head(self.features.mean((2, 3)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()

    def forward(self, x):
        return self.body(x)


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    norms, maps, last = [], [], None
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        norms.append(model.body.features.norm())  #! MEM102 error
        loss.backward()
        optimizer.step()
        maps.append(model.body.features)  #! MEM102 warning
        last = model.body.features
        print(model.body.features.std().item())
    return norms, maps, last


net = Net().cuda()
train(net, [(torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,)))] * 100)
