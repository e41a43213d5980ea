import torch
import torch.nn as nn
from torch.cuda import amp


class Trainer:
    def __init__(self, model, loader, lr=3e-4):
        self.model = model.cuda()
        self.loader = loader
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.scaler = torch.amp.GradScaler("cuda")

    def run_epoch(self):
        self.model.train()
        total = 0.0
        for inputs, targets in self.loader:
            inputs, targets = inputs.cuda(), targets.cuda()
            self.optimizer.zero_grad()
            with torch.amp.autocast("cuda"):
                loss = self.criterion(self.model(inputs), targets)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            total += loss.item()
        return total / len(self.loader)

    def fit(self, epochs):
        for e in range(epochs):
            print(e, self.run_epoch())
            torch.cuda.synchronize()
            print(torch.cuda.max_memory_allocated() / 2 ** 20, "MiB")


def build(n=10):
    return nn.Sequential(nn.Conv2d(3, 64, 3, stride=2), nn.ReLU(), nn.Conv2d(64, 128, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, n))


if __name__ == "__main__":
    from data import get_loader
    Trainer(build(), get_loader()).fit(30)
