# a tuple that grows, and a list that is made again of itself and the new value

import torch
from torch import nn


def train(model, loader, opt):
    pairs, seen, last = (), (), []
    for x, y in loader:
        out = model(x.cuda())
        loss = nn.functional.mse_loss(out, y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += (loss,)  #! MEM102 warning
        pairs = pairs + (loss, out)  #! MEM102 warning
        last = [*last, loss]  #! MEM102 warning
    return seen, pairs, last


class Tester:
    def __init__(self, net):
        self.net, self.found = net.eval(), ()

    def test(self, loader):
        for x in loader:
            self.found = (*self.found, self.net(x))  #! MEM102 error
        return torch.cat(self.found)
