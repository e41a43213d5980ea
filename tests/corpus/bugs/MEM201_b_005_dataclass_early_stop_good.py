from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 3e-4
    hidden: int = 128
    patience: int = 10
    max_epochs: int = 500
    history: list = field(default_factory=list)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = None
        self.count = 0

    def step(self, value):
        if self.best is None or value < self.best:
            self.best, self.count = value, 0
        else:
            self.count += 1
        return self.count >= self.patience


def validate(model, loader, loss_fn):
    model.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            pred = model(x)
            total = total + loss_fn(pred, y) * len(x)
            n += len(x)
    return total / n


def train(cfg: Config, train_loader, val_loader):
    model = nn.Sequential(nn.Linear(13, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, 1))
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    loss_fn = nn.HuberLoss()
    stopper = EarlyStopping(cfg.patience)
    for epoch in range(cfg.max_epochs):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            loss_fn(model(x), y).backward()
            opt.step()
        val = validate(model, val_loader, loss_fn)
        cfg.history.append(float(val))
        if stopper.step(float(val)):
            print("stopped at", epoch)
            break
    return model
