"""A function of a library computes the loss that trains, before the network runs once more for the log."""

import torch
from robust import robust_loss


def train(loader, model, optimizer):
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        loss, wrong = robust_loss(model, x, y)
        out = model(x)  #! MEM201 warning
        plain = torch.nn.functional.cross_entropy(out, y)
        accuracy = (out.data.max(1)[1] == y).float().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), wrong, plain.item(), accuracy)


def main(loader):
    model = torch.nn.Linear(10, 10).cuda()
    train(loader, model, torch.optim.Adam(model.parameters()))
