# who calls the function that the class groups sees to the grad mode

import torch


class Trainer:
    def evaluate(net, loader):
        net.eval()
        hits = 0
        for x, y in loader:
            hits += (net(x).argmax(1) == y).sum().item()
        return hits


def main(net, loader):
    with torch.no_grad():
        print(Trainer.evaluate(net, loader))
