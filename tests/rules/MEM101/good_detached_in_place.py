# the loss loses its graph in place before it is added up or handed on

import torch


def train(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        if criterion is None:
            loss = None
        else:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            loss.detach_()
        total += loss
    return total.item()


def steps(model, loader, optimizer, criterion):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        loss.detach_()
        yield x, loss


def fit(model, loader, optimizer, criterion):
    total = torch.zeros(())
    for _, loss in steps(model, loader, optimizer, criterion):
        total.add_(loss)
    print(total)


def attack(model, x, y, loss_fn, steps):
    adversarial, total = x.clone(), torch.zeros(len(x))
    for _ in range(steps):
        adversarial.requires_grad_(True)
        loss = loss_fn(model(adversarial), y)
        (slope,) = torch.autograd.grad(loss.sum(), adversarial)
        adversarial.detach_(), loss.detach_()
        total += loss
        adversarial = adversarial + 0.1 * slope.sign()
    return adversarial, total
