# agent with a method that remembers

import torch
from torch import nn


class Agent:
    def __init__(self, env):
        self.env = env
        self.policy = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4))
        self.value = nn.Linear(8, 1)
        self.transitions = []

    def remember(self, state, value, reward):
        self.transitions.append({"state": state, "value": value, "reward": reward})

    def play(self, episodes):
        for episode in range(episodes):
            state, done = torch.as_tensor(self.env.reset()), False
            while not done:
                logits = self.policy(state)
                obs, reward, done, _ = self.env.step(logits.argmax().item())
                self.remember(state, self.value(state), reward)  #! MEM116 error
                state = torch.as_tensor(obs)
