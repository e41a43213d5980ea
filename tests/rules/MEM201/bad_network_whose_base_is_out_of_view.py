# what has a forward pass and a base of another file is a network, the base's methods included

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from models.base import Backbone


class Net(Backbone):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.forward_base(x))

    def embed(self, x):
        return self.forward_base(x)


def train(data):
    net = Net().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in DataLoader(data, batch_size=32):
        optimizer.zero_grad()
        F.cross_entropy(net(x.cuda()), y.cuda()).backward()
        optimizer.step()
    net.eval()
    hits = 0
    for x, y in DataLoader(data, batch_size=32):
        hits += (net(x.cuda()).argmax(1).cpu() == y).sum().item()  #! MEM201 error
    return hits


def nearest(net: Net, loader, prototypes):
    net.eval()
    hits = 0
    for x, y in loader:
        hits += (torch.cdist(net.embed(x), prototypes).argmin(1) == y).sum().item()  #! MEM201 error
    return hits
