# the wrapper comes off again, but between the two lines the training runs

from torch import nn


class Trainer:
    def __init__(self, network, optimizer, loader):
        self.network, self.optimizer, self.loader = network.cuda(), optimizer, loader

    def run(self):
        self.network = nn.DataParallel(self.network)  #! MEM601
        result = self.run_training()
        self.network = self.network.module
        return result

    def run_training(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.network(x.cuda()), y.cuda())
            loss.backward()
            self.optimizer.step()
