import torch
import torch.nn as nn


def make_stepper(model, lr, clip=1.0):
    opt = torch.optim.RMSprop(model.parameters(), lr=lr)
    mse = nn.MSELoss()
    history = []

    def step(x, y):
        opt.zero_grad()
        err = mse(model(x), y)
        err.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        opt.step()
        history.append(err.detach().cpu())
        return float(err)

    def summary():
        return torch.stack(list(history)).mean().item()

    return step, summary


def windows(series, size):
    for i in range(0, len(series) - size - 1):
        yield series[i:i + size], series[i + size]


class Forecaster(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.l1 = nn.Linear(size, 64)
        self.l2 = nn.Linear(64, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x)))


def main():
    torch.manual_seed(1)
    series = torch.sin(torch.arange(0, 4000) / 25.0) + 0.05 * torch.randn(4000)
    net = Forecaster(24)
    step, summary = make_stepper(net, 1e-3)
    for epoch in range(3):
        for x, y in windows(series, 24):
            step(x.unsqueeze(0), y.view(1, 1))
        print(epoch, summary())


main()
