# one function for both: what it gives for training is backed by its caller
import torch
import torch.nn.functional as F


def run(model, loader, train):
    model.train(train)
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        total = total + loss  #? MEM118
    return total / len(loader)


def main(model, train_loader, val_loader, optimizer):
    for epoch in range(10):
        loss = run(model, train_loader, True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            print(epoch, run(model, val_loader, False).item())


def both(model, train_loader, val_loader, optimizer):
    for epoch in range(10):
        loss = run(model, train_loader, True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(epoch, run(model, val_loader, False).item())
