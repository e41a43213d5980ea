import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    X = torch.from_numpy(np.load("x.npy")).float()
    y = torch.from_numpy(np.load("y.npy")).long()
    train_ds = TensorDataset(X[:8000], y[:8000])
    test_ds = TensorDataset(X[8000:], y[8000:])
    train_dl = DataLoader(train_ds, batch_size=128, shuffle=True)
    test_dl = DataLoader(test_ds, batch_size=512)
    model = nn.Sequential(nn.Linear(X.shape[1], 64), nn.ReLU(), nn.Linear(64, 10))
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(20):
        for xb, yb in train_dl:
            loss = nn.functional.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            acc = sum((model(a).argmax(1) == b).sum().item() for a, b in test_dl) / len(test_ds)
        print(epoch, acc)


if __name__ == "__main__":
    main()
