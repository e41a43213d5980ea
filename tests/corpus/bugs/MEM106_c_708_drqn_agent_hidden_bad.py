import gymnasium as gym
import torch
import torch.nn.functional as F
from torch import nn


class RecurrentQ(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.inp = nn.Linear(obs, 64)
        self.cell = nn.GRUCell(64, 64)
        self.head = nn.Linear(64, act)

    def forward(self, obs, h):
        h = self.cell(torch.relu(self.inp(obs)), h)
        return self.head(h), h


class Player:
    """Plays one long evaluation stream and keeps the memory of the net from step to step."""

    def __init__(self, env, net):
        self.env, self.net = env, net
        self.h = torch.zeros(1, 64)

    def act(self, obs):
        q, self.h = self.net(torch.as_tensor(obs)[None], self.h)  #! MEM106
        return int(q.argmax(1))

    def stream(self, steps):
        obs, _ = self.env.reset()
        total = 0.0
        for _ in range(steps):
            obs, reward, done, cut, _ = self.env.step(self.act(obs))  #= MEM106
            total += reward
            if done or cut:
                obs, _ = self.env.reset()
        return total


if __name__ == "__main__":
    env = gym.make("CartPole-v1")
    print(Player(env, RecurrentQ(4, 2)).stream(100_000))
