# the training code reads it and takes it away

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        self.features = self.layer(x)
        return self.features.relu()


def step(net, x):
    (net(x).mean() + net.features.mean()).backward()
    net.features = None
