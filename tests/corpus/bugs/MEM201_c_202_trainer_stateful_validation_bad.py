import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Forecaster(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.rnn = nn.GRU(n_in, n_hid, batch_first=True)
        self.lin = nn.Linear(n_hid, n_in)

    def forward(self, x, h=None):
        y, h = self.rnn(x, h)
        return self.lin(y), h


class Runner:
    def __init__(self, train_set, val_set):
        self.train_loader = DataLoader(train_set, batch_size=10, drop_last=True)
        self.val_loader = DataLoader(val_set, batch_size=10, drop_last=True)
        self.model = Forecaster(3, 20)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=3e-4)

    def train_epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            pred, _ = self.model(x)
            loss = F.mse_loss(pred, y)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()

    def validate(self):
        self.model.eval()
        h, total = None, 0.0
        for x, y in self.val_loader:
            pred, h = self.model(x, h)  #! MEM201 #? MEM106
            total += F.mse_loss(pred, y).item()
        return total / len(self.val_loader)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.train_epoch()
            print(epoch, self.validate())
