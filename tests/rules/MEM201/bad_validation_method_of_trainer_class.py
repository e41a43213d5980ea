# method of a trainer class

import torch
from torch import nn


class Trainer:
    def __init__(self, model, train_dl, val_dl):
        self.model, self.train_dl, self.val_dl = model, train_dl, val_dl
        self.loss_fn = nn.MSELoss()
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def _train_epoch(self):
        self.model.train()
        for x, y in self.train_dl:
            self.opt.zero_grad()
            self.loss_fn(self.model(x), y).backward()
            self.opt.step()

    def _validate(self):
        self.model.eval()
        losses = []
        for x, y in self.val_dl:
            pred = self.model(x)  #! MEM201 error
            losses.append(self.loss_fn(pred, y).item())
        return sum(losses) / len(losses)

    def fit(self, epochs):
        for epoch in range(epochs):
            self._train_epoch()
            print(epoch, self._validate())


if __name__ == "__main__":
    data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(6)]
    Trainer(nn.Linear(3, 1), data, data).fit(2)
