# volatile inputs: the graph is recorded all the same

import torch
from torch.autograd import Variable


def test(model, loader):
    model.eval()
    hits = 0
    for x, y in loader:
        x = Variable(x, volatile=True)  #! MEM902 warning
        hits += (model(x).data.argmax(1) == y).sum().item()
    return hits
