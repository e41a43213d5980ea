# Another method may switch gradients on again after the constructor

import torch
from torch.utils.data import DataLoader


class Runner:
    def __init__(self, net, data):
        torch.set_grad_enabled(False)
        self.net = net
        self.loader = DataLoader(data, batch_size=32)

    def prepare(self, training):
        torch.set_grad_enabled(training)

    def evaluate(self):
        self.net.eval()
        hits = 0
        for x, y in self.loader:
            hits += int((self.net(x.cuda()).argmax(1).cpu() == y).sum())  #! MEM201 error
        return hits / len(self.loader.dataset)
