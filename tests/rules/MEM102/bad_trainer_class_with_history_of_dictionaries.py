# trainer class with a history of dictionaries

import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.history = []

    def fit(self, loader, epochs=5):
        for epoch in range(epochs):
            for xb, yb in loader:
                pred = self.model(xb)
                loss = nn.functional.cross_entropy(pred, yb)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.history.append({"epoch": epoch, "loss": loss})  #! MEM102 warning
            print(epoch, self.history[-1]["loss"].item())


if __name__ == "__main__":
    Trainer(nn.Linear(7, 3)).fit([(torch.randn(5, 7), torch.randint(0, 3, (5,))) for _ in range(8)])
