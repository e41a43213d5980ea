import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class ExponentialMovingAverage(object):
    def __init__(self, mu):
        self.mu = mu
        self.shadow = {}

    def register(self, name, val):
        self.shadow[name] = val.clone()

    def __call__(self, model, num_updates):
        decay = min(self.mu, (1.0 + num_updates) / (10.0 + num_updates))
        for name, param in model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = decay * self.shadow[name] + (1 - decay) * param  #! MEM107


def train(model, ema, dataset, device, epochs=10):
    params = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-3, betas=(0.8, 0.999))
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(dataset, batch_size=32, shuffle=True, num_workers=5)
    it = 0
    for epoch in range(epochs):
        for feats, label in loader:
            optimizer.zero_grad()
            loss = criterion(model(feats.to(device)), label.to(device))
            loss.backward()
            optimizer.step()
            ema(model, it)
            it += 1


def main(dataset):
    model = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 2))
    ema = ExponentialMovingAverage(0.999)
    for name, p in model.named_parameters():
        ema.register(name, p.data)
    train(model, ema, dataset, "cpu")
