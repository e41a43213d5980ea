# the average is bound to the name of the loop, so the stored weights stay as they are

import torch


def follow(target, net, decay):
    for old, new in zip(target.parameters(), net.parameters()):
        old = decay * old + (1 - decay) * new


def train(net, target, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        follow(target, net, 0.99)
        for name, kept in net.named_parameters():
            kept = 0.9 * kept + 0.1 * kept.abs()
