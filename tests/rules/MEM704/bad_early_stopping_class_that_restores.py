# early stopping class that restores

import math


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience, self.bad, self.lowest = patience, 0, math.inf
        self.weights = None

    def __call__(self, val_loss, net):
        if val_loss < self.lowest:
            self.lowest, self.bad = val_loss, 0
            self.weights = net.state_dict()  #! MEM704 error
        else:
            self.bad += 1
        return self.bad >= self.patience

    def restore(self, net):
        net.load_state_dict(self.weights)


def fit(net, opt, loss_of, train, val):
    import torch

    stop = EarlyStopping()
    while True:
        opt.zero_grad()
        loss_of(net, train).backward()
        opt.step()
        with torch.no_grad():
            if stop(loss_of(net, val).item(), net):
                break
    stop.restore(net)
