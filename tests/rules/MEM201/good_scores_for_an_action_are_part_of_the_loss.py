# the scores that choose the action are what the update differentiates

import gym
import torch
from torch import nn

env = gym.make("CartPole-v1")
q = nn.Sequential(nn.Linear(4, 512), nn.ReLU(), nn.Linear(512, 2))
opt = torch.optim.Adam(q.parameters())
state = env.reset()
for t in range(100_000):
    scores = q(torch.as_tensor(state))
    action = scores.argmax().item()
    state, reward, done, _ = env.step(action)
    with torch.no_grad():
        goal = reward + 0.99 * q(torch.as_tensor(state)).amax()
    loss = (scores[action] - goal) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
