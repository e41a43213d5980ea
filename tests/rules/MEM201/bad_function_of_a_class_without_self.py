# functions that a class only groups are called by its name: the first argument is the network

import torch


class Trainer:
    def evaluate(net, loader):
        net.eval()
        hits = 0
        for x, y in loader:
            hits += (net(x).argmax(1) == y).sum().item()  #! MEM201 error
        return hits


def main(net, loader):
    print(torch.__version__, Trainer.evaluate(net, loader))
