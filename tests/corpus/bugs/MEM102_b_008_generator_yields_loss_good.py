import itertools

import torch
from torch import nn, optim


def endless(loader):
    while True:
        yield from loader


def train_steps(model, loader, optimizer, loss_fn, max_steps):
    it = endless(loader)
    for step in range(max_steps):
        x, y = next(it)
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        yield step, loss.item()


def plot(values, path):
    import matplotlib.pyplot as plt
    plt.plot(values)
    plt.savefig(path)


def fit(model, loader, max_steps=5000, every=500):
    optimizer = optim.NAdam(model.parameters(), lr=2e-3)
    loss_fn = nn.BCEWithLogitsLoss()
    curve = []
    for step, loss in train_steps(model, loader, optimizer, loss_fn, max_steps):
        curve.append(loss)
        if step % every == 0:
            print(step, float(loss))
    plot([float(v) for v in curve], "curve.png")
    return model


if __name__ == "__main__":
    from torch.utils.data import DataLoader, TensorDataset

    x = torch.randn(10000, 32)
    y = (x.sum(1, keepdim=True) > 0).float()
    net = nn.Sequential(nn.Linear(32, 128), nn.ELU(), nn.Linear(128, 1))
    fit(net, DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True))
