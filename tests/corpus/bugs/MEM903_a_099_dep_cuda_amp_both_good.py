import torch
from torch.amp import GradScaler, autocast


class Engine:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.scaler = GradScaler("cuda")

    def train(self, data_loader):
        self.model.train()
        total = 0
        for data in data_loader:
            self.optimizer.zero_grad()
            inputs, targets = data["x"].cuda(), data["y"].cuda()
            with autocast("cuda"):
                loss = torch.nn.functional.cross_entropy(self.model(inputs), targets)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            total += loss.item()
        return total / len(data_loader)
