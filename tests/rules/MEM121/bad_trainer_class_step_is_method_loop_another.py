# trainer class: the step is a method, the loop another one

import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.loss_fn = nn.MSELoss()

    def training_step(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        loss.backward()  #! MEM121
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            losses = [self.training_step(x, y) for x, y in loader]
            print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    data = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(10)]
    Trainer(nn.Linear(3, 1)).fit(data, 4)
