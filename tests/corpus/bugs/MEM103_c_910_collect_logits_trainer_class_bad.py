"""Trainer class that keeps every batch of logits on the device, then concatenates."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, args, model, train_loader, val_loader):
        self.args = args
        self.device = torch.device(args.device if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader, self.val_loader = train_loader, val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)

    def train_epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        logits, targets = [], []
        for x, y in self.val_loader:
            x = x.to(self.device)
            out = self.model(x)
            logits.append(out)  #! MEM103
            targets.append(y)
        logits = torch.cat(logits).cpu().numpy()
        targets = torch.cat(targets).numpy()
        return (logits.argmax(1) == targets).mean()

    def fit(self):
        for epoch in range(self.args.epochs):
            self.train_epoch()
            print(epoch, self.validate())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    Trainer(args, net, DataLoader(data, 16), DataLoader(data, 16)).fit()


if __name__ == "__main__":
    main()
