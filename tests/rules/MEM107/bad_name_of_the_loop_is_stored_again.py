# the average is bound to the name of the loop and put back into the dictionary

import torch


class Shadow:
    def __init__(self, net):
        self.weights = {name: p.clone() for name, p in net.named_parameters()}

    def follow(self, net):
        current = dict(net.named_parameters())
        for name, old in self.weights.items():
            old = 0.99 * old + 0.01 * current[name]
            self.weights[name] = old  #! MEM107 warning


def train(net, loader):
    shadow = Shadow(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        shadow.follow(net)
