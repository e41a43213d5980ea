# static and class methods of a class that nothing here makes

import torch


class Runs:
    @staticmethod
    def right(net, val_loader):
        net.eval()
        hits = 0
        for x, y in val_loader:
            hits += (net(x).argmax(1) == y).sum().item()  #! MEM201 error
        return hits

    @classmethod
    def error(cls, net, test_loader):
        net.eval()
        return [cls.distance(net(x), y).item() for x, y in test_loader]  #! MEM201 error

    @classmethod
    def distance(cls, found, y):
        return (found - y).abs().mean()
