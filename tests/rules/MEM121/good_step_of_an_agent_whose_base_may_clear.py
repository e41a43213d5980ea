# a base class out of view calls the step, and may clear before it

import torch
import torch.nn.functional as F
from torch import nn
from agents.base import BaseAgent


class Agent(BaseAgent):
    def __init__(self, width):
        super().__init__()
        self.policy = nn.Linear(width, 4)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=5e-4)

    def learn(self, state, action):
        loss = F.cross_entropy(self.policy(state), action)
        loss.backward()
        self.optimizer.step()
