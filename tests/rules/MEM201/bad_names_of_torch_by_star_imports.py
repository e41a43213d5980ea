# `Sequential` and `Linear` are those of torch.nn

from torch.nn import *

from blocks import *

net = Sequential(Linear(8, 8), ReLU()).cuda()


def test(test_loader):
    net.eval()
    hits = 0
    for x, y in test_loader:
        hits += (net(x.cuda()).argmax(1) == y.cuda()).sum().item()  #! MEM201 error
    return hits
