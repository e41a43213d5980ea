import torch
from torch import nn, optim


class Experiment:
    def __init__(self, cfg):
        self.net = nn.Sequential(nn.Linear(784, cfg["width"]), nn.ReLU(), nn.Linear(cfg["width"], 784))
        self.optim = optim.RMSprop(self.net.parameters(), lr=cfg["lr"])
        self.cfg = cfg

    def step(self, x):
        recon = self.net(x)
        mse = nn.functional.mse_loss(recon, x)
        self.optim.zero_grad()
        mse.backward()
        self.optim.step()
        return mse.item()

    def run(self, loader):
        for epoch in range(self.cfg["epochs"]):
            worst = 0.0
            for x, _ in loader:
                worst = max(worst, self.step(x.flatten(1)))
            print(epoch, worst)


def start(loader):
    Experiment({"width": 64, "lr": 1e-3, "epochs": 5}).run(loader)
