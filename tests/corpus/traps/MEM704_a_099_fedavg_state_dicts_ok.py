import copy
import torch
from torch import nn


def local_update(net, loader, epochs, lr):
    net.train()
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
    epoch_loss = []
    for _ in range(epochs):
        batch_loss = []
        for x, y in loader:
            net.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            batch_loss.append(loss.item())
        epoch_loss.append(sum(batch_loss) / len(batch_loss))
    return net.state_dict(), sum(epoch_loss) / len(epoch_loss)


def fed_avg(ws):
    avg = copy.deepcopy(ws[0])
    for k in avg:
        for i in range(1, len(ws)):
            avg[k] += ws[i][k]
        avg[k] = torch.div(avg[k], len(ws))
    return avg


def main(net, clients, rounds):
    loss_train = []
    for r in range(rounds):
        w_locals, loss_locals = [], []
        for loader in clients:
            w, loss = local_update(copy.deepcopy(net), loader, 5, 0.01)
            w_locals.append(copy.deepcopy(w))
            loss_locals.append(loss)
        net.load_state_dict(fed_avg(w_locals))
        loss_train.append(sum(loss_locals) / len(loss_locals))
