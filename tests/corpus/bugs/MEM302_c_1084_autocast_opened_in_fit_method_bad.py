import torch
from torch import nn


class Learner:
    def __init__(self, net, loss, lr=0.1):
        self.net, self.loss = net.cuda(), loss
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)

    def one_batch(self, x, y):
        self.opt.zero_grad()
        out = self.loss(self.net(x), y)
        out.backward()
        self.opt.step()  #= MEM302
        return out.detach()

    def fit(self, loader, epochs):
        with torch.autocast("cuda", dtype=torch.bfloat16):  #! MEM302
            for _ in range(epochs):
                for x, y in loader:
                    self.one_batch(x.cuda(), y.cuda())


Learner(nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 5)), nn.CrossEntropyLoss()).fit([], 10)
