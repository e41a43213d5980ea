# a training flag: the call site passes False and no context

import torch
from torch import nn


def run_epoch(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total = 0.0
    for x, y in loader:
        out = model(x)  #! MEM201
        loss = criterion(out, y)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total / len(loader)


net = nn.Linear(6, 2)
opt = torch.optim.Adam(net.parameters())
train_dl = [(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(9)]
valid_dl = [(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(3)]
for epoch in range(2):
    print(run_epoch(net, train_dl, nn.CrossEntropyLoss(), opt))
    print(run_epoch(net, valid_dl, nn.CrossEntropyLoss()))
