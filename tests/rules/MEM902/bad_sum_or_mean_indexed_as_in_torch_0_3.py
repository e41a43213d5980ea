# what is summed over all elements has no dimensions either

import torch
from torch.autograd import Variable


def accuracy(net, loader):
    right = total = 0
    for x, y in loader:
        with torch.no_grad():
            picked = net(Variable(x.cuda())).max(1)[1]
        hits = torch.eq(picked, y.cuda()).sum()
        right += hits.data[0]  #! MEM902 error
        mean = torch.mean(picked.float())
        print(mean.data[0])  #! MEM902 error
        total += y.size(0)
    return right / total


def columns(net, loader):
    for x, y in loader:
        with torch.no_grad():
            per_class = torch.sum(net(x), 0)
            best = net(x).sum(1)
        print(per_class.data[0], best.data[0])
