# Keras-like history of a hand-written fit function: phase, then metric, then a list.
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def fit(model, loaders, optimizer, criterion, epochs=3):
    history = {phase: {"loss": [], "acc": []} for phase in loaders}
    for epoch in range(epochs):
        began = time.perf_counter()
        for phase, loader in loaders.items():
            model.train(phase == "train")
            running = {"loss": 0.0, "acc": 0.0}
            for x, y in loader:
                with torch.set_grad_enabled(phase == "train"):
                    logits = model(x)
                    loss = criterion(logits, y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                running["loss"] += loss.item() * len(x)
                running["acc"] += (logits.argmax(1) == y).sum().item()
            for metric, value in running.items():
                history[phase][metric].append(float(value) / len(loader.dataset))
        print(epoch, f"{time.perf_counter() - began:.1f}s", {p: h["loss"][-1] for p, h in history.items()})
    return history


x = torch.randn(1200, 20)
train, val = random_split(TensorDataset(x, (x[:, 0] > 0).long()), [1000, 200])
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 2))
fit(net, {"train": DataLoader(train, 50, shuffle=True), "val": DataLoader(val, 200)},
    torch.optim.Adam(net.parameters()), nn.CrossEntropyLoss())
