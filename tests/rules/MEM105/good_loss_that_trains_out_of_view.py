# the loop clears gradients, and the loss of another file runs backward, steps and gives a number

from lib import LossThatSteps, Network
from lib.data import batches


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, loss):
        self.total += loss
        self.count += 1
        return self.total / self.count


def train(optimizer):
    network = Network().cuda()
    loss_of = LossThatSteps(network, optimizer)
    network.train()
    meter = Meter()
    for x, y in batches("train"):
        network.zero_grad()
        out = network(x.cuda())
        loss = loss_of(out, y.cuda(), True)
        print(meter.update(loss))
