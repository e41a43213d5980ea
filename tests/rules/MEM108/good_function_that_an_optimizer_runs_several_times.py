# L-BFGS runs its closure several times in one step, each time through what was computed before it

import torch
import torch.nn.functional as F


def train(net, batches):
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5)
    for x, y in batches:
        hidden = net(x)
        loss = F.mse_loss(hidden, y)

        def closure():
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            return loss

        optimizer.step(closure)


def with_penalty(net, batches):
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5)
    for x, y in batches:
        hidden = net(x)

        def closure(weight):
            optimizer.zero_grad()
            loss = F.mse_loss(hidden, y) + weight * net.weight.norm()
            loss.backward(retain_graph=True)
            return loss

        optimizer.step(lambda: closure(0.1))
