# the loop that clears is in another method of the same class

import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, width):
        self.policy = nn.Linear(width, 4)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=5e-4)

    def begin(self):
        self.optimizer.zero_grad()

    def learn(self, state, action):
        loss = F.cross_entropy(self.policy(state), action)
        loss.backward()
        self.optimizer.step()
