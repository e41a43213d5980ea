# a method that predicts for all rows at once, and detaches what the network gives that `fit` has trained

import torch
from torch import nn


class Regressor:
    def __init__(self, width):
        self.net = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))

    def fit(self, x, y):
        optimizer = torch.optim.Adam(self.net.parameters())
        for _ in range(100):
            optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            optimizer.step()

    def predict(self, x):
        return self.net(torch.as_tensor(x)).detach().numpy()  #! MEM201 warning

    def predict_proba(self, x):
        scores = torch.sigmoid(self.net(torch.as_tensor(x)))  #! MEM201 warning
        return scores.data.cpu().numpy()
