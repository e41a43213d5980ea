# the caller goes on training the model that was judged

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.lowest = float("inf")
        self.best_model = None

    def run(self, net, epochs):
        optimizer = torch.optim.Adam(net.parameters())
        for _ in range(epochs):
            for x, y in self.loader:
                optimizer.zero_grad()
                F.cross_entropy(net(x), y).backward()
                optimizer.step()
            self.judge(net)

    @torch.no_grad()
    def judge(self, model):
        loss = sum(F.cross_entropy(model(x), y).item() for x, y in self.loader)
        if loss < self.lowest:
            self.lowest = loss
            self.best_model = model  #! MEM704 error
