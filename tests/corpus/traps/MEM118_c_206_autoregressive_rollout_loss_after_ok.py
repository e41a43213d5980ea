import torch
import torch.nn.functional as F
from torch import nn


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 6))

    def forward(self, state):
        return state + 0.1 * self.net(state)


def rollout_loss(model, trajectory):
    state = trajectory[:, 0]
    total = 0.0
    for k in range(1, trajectory.size(1)):
        state = model(state)
        total = total + F.smooth_l1_loss(state, trajectory[:, k])
    return total / (trajectory.size(1) - 1)


def simulate(model, start, steps):
    path = [start]
    with torch.no_grad():
        while len(path) < steps:
            path.append(model(path[-1]))
    return torch.stack(path)


def fit(model, batches, epochs=3):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for trajectory in batches:
            loss = rollout_loss(model, trajectory)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return simulate(model, batches[0][:, 0], 30)


if __name__ == "__main__":
    print(fit(Dynamics(), [torch.randn(4, 12, 6) for _ in range(5)]).shape)
