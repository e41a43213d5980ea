# a comment above the loop over the validation data says that forces need gradients

import torch


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, data, train):
        loss = (self.model(data.to("cuda")) - data.energy).pow(2).mean()
        if train:
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return {"loss": float(loss.detach())}

    def fit(self, epochs):
        for _ in range(epochs):
            self.model.train()
            self.mean(self.step(d, True) for d in self.train_loader)
            self.model.eval()
            # forces need grad even at eval -> no torch.no_grad()
            print(self.mean(self.step(d, False) for d in self.val_loader))

    def mean(self, logs):
        kept = [log["loss"] for log in logs]
        return sum(kept) / len(kept)
