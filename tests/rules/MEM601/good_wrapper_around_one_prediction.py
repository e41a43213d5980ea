# the wrapper is there for one prediction, and comes off again

from torch import nn


class Trainer:
    def __init__(self, network, optimizer, loader):
        self.network, self.optimizer, self.loader = network.cuda(), optimizer, loader

    def scores(self, images):
        self.network = nn.DataParallel(self.network)
        found = [self.network(x.cuda()).argmax(1).tolist() for x in images]
        self.network = self.network.module
        return found

    def run(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.network(x.cuda()), y.cuda()).backward()
            self.optimizer.step()
