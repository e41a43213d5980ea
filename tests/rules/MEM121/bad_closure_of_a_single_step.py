# one step of L-BFGS runs its closure many times, and each time adds to the gradients

import torch
from torch import nn, optim


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = nn.Parameter(torch.ones(1) * 1.5)

    def fit(self, logits, labels):
        criterion = nn.CrossEntropyLoss()
        optimizer = optim.LBFGS([self.temperature], lr=0.01, max_iter=50)

        def evaluate():
            loss = criterion(logits / self.temperature, labels)
            loss.backward()  #! MEM121
            return loss

        optimizer.step(evaluate)
        return self


def solve(net, x, y):
    opt = torch.optim.LBFGS(net.parameters(), max_iter=500)

    def closure():
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()  #! MEM121
        return loss

    opt.zero_grad()
    opt.step(closure)
