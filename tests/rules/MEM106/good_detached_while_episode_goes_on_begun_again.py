# recurrent actor-critic: detached while the episode goes on, begun again when it ends

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(4, 16)
        self.actor, self.critic = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, obs, hx, cx):
        hx, cx = self.lstm(obs, (hx, cx))
        return self.actor(hx), self.critic(hx), hx, cx


def learn(env, policy, optimizer, updates=10, n_steps=5):
    obs, done = env.reset(), True
    for _ in range(updates):
        if done:
            hx, cx = torch.zeros(1, 16), torch.zeros(1, 16)
        else:
            hx, cx = hx.detach(), cx.detach()
        loss = 0
        for _ in range(n_steps):
            logits, value, hx, cx = policy(obs, hx, cx)
            action = torch.distributions.Categorical(logits=logits).sample()
            obs, reward, done = env.step(action.item())
            loss = loss + (reward - value).pow(2).mean()
            if done:
                obs = env.reset()
                break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
