# the network whose parameters the optimizer was given is cleared, whatever both are called

import torch
from torch.optim import AdamW


class PolicyGradient:
    def __init__(self, policy, optimizer=AdamW, lr=1e-3):
        self.chooser = policy().to("cuda")
        self.optimizer = optimizer(self.chooser.parameters(), lr=lr)

    def train(self, buffer, steps):
        for _ in range(steps):
            states, prices = buffer.sample()
            loss = -torch.log((self.chooser.choose(states) * prices).sum(1)).mean()
            self.chooser.zero_grad()
            loss.backward()
            self.optimizer.step()
