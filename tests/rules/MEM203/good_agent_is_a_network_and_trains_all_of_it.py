# the optimizer of the module has all that is in it, or the second network asks for no gradients

import torch
from torch import nn


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 768), nn.ReLU(), nn.Linear(768, 4))

    def forward(self, x):
        return self.layers(x)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.target = QNet(), QNet()
        self.optimizer = torch.optim.Adam(self.parameters(), lr=1e-3)

    def learn(self, memory):
        self.target.load_state_dict(self.net.state_dict())
        state, action, reward, following = memory.sample(256)
        best = self.target(following).detach().max(1).values
        chosen = self.net(state).gather(1, action).squeeze(1)
        loss = nn.functional.mse_loss(chosen, reward + 0.9 * best)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main(memory):
    agent = Agent().cuda()
    for _ in range(10_000):
        agent.learn(memory)


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.target = QNet(), QNet().requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def learn(self, memory):
        state, reward, following = memory.sample(256)
        best = self.target(following).detach().max(1).values
        loss = nn.functional.mse_loss(self.net(state).max(1).values, reward + 0.9 * best)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
