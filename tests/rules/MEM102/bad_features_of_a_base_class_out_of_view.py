# a method of the base class, which is in another file, gives features with a graph

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from models.base import Backbone


class Net(Backbone):
    def forward(self, x):
        return self.forward_base(x)


def train(data):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    kept = []
    for x, y in DataLoader(data, batch_size=32):
        out = net(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(out)  #! MEM102 warning
    return kept
