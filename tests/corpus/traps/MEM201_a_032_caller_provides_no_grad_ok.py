import torch
from torch import nn


def epoch_pass(model, loader, criterion, optimizer, is_train):
    total, correct = 0.0, 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        logits = model(x)
        loss = criterion(logits, y)
        if is_train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
        correct += (logits.argmax(1) == y).sum().item()
    return total / len(loader), correct


def main(model, tr, va, epochs=5):
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters())
    for ep in range(epochs):
        model.train()
        train_loss, _ = epoch_pass(model, tr, crit, opt, True)
        model.eval()
        with torch.no_grad():
            val_loss, c = epoch_pass(model, va, crit, None, False)
        print(ep, train_loss, val_loss, c)
