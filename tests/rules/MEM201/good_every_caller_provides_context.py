# every caller provides the context

import torch


def run_epoch(model, loader, optimizer, train):
    model.train(train)
    total = 0.0
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        if train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
train_dl = val_dl = [(torch.randn(4, 2), torch.randn(4, 1))]
for epoch in range(3):
    run_epoch(net, train_dl, opt, train=True)
    with torch.no_grad():
        run_epoch(net, val_dl, opt, train=False)
