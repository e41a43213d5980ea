import torch
from torch import nn


class RangeScaler:
    def __init__(self, data):
        self.low, self.high = data.min(), data.max()

    def scale(self, x):
        return (x - self.low) / (self.high - self.low)


def train(model, optimizer, batches, scaler):
    for x, y in batches:
        x = scaler.scale(x)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fit(model, optimizer, batches, data_scaler, loss_weight):
    for x, y in batches:
        loss = loss_weight * nn.functional.l1_loss(model(data_scaler.scale(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    data = torch.randn(30, 4)
    net = nn.Linear(4, 4)
    train(net, torch.optim.Adam(net.parameters()), [(data, data)], RangeScaler(data))
