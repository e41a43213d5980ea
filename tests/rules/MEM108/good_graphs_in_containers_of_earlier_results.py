# each step compares with what earlier ones left in a container, and runs backward through their graphs again

import torch
import torch.nn.functional as F


def bank_by_index(net, optimizer, loader):
    bank = {}
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            z = net(x)
            loss = F.mse_loss(z, y)
            if i in bank:
                loss = loss + (z - bank[i]).square().mean()
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            bank[i] = z


def list_of_all(net, optimizer, loader):
    seen = []
    for x, y in loader:
        z = net(x)
        loss = F.mse_loss(z, y)
        if seen:
            loss = loss + (z - seen[-1]).square().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        seen.append(z)


def entry_of_the_last(net, optimizer, loader):
    state = {"last": torch.zeros(3)}
    for x, y in loader:
        z = net(x)
        loss = F.mse_loss(z, y) + (z - state["last"]).square().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        state["last"] = z
