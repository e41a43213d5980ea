# `no_grad` comes with the star import

from torch import *
from torch.nn import *

net = Sequential(Linear(8, 8), ReLU()).cuda()


def test(test_loader):
    net.eval()
    hits = 0
    with no_grad():
        for x, y in test_loader:
            hits += (net(x.cuda()).argmax(1) == y.cuda()).sum().item()
    return hits
