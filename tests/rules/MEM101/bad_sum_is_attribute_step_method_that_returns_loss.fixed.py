# trainer class: the sum is an attribute, the step a method that returns the loss

import torch
from torch import nn


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
        self.epoch_loss = 0.0

    def train_step(self, batch):
        images, labels = batch
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss

    def fit(self, epochs):
        for epoch in range(epochs):
            self.epoch_loss = 0.0
            for batch in self.loader:
                loss = self.train_step(batch)
                self.epoch_loss += loss.detach()
            print(epoch, float(self.epoch_loss) / len(self.loader))


if __name__ == "__main__":
    loader = [(torch.randn(4, 12), torch.randint(0, 3, (4,))) for _ in range(20)]
    Trainer(nn.Linear(12, 3), loader).fit(2)
