# a target network whose result is detached at once

import torch
from torch.nn import functional as F
from networks import QNetwork


class Agent:
    def __init__(self):
        self.network = QNetwork().cuda()
        self.network_target = QNetwork().cuda()
        self.optimizer = torch.optim.Adam(self.network.parameters())

    def learn(self, states, rewards, following):
        best = self.network_target(following).detach().max(1)[0]  #! MEM203 warning
        loss = F.mse_loss(self.network(states).max(1)[0], rewards + 0.99 * best)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
