# the forward pass leaves its distribution in the policy, and the loss is computed from that

import torch
from torch.utils.data import DataLoader
from policies import GaussianActor


class Agent:
    def __init__(self, sizes, logger):
        self.actor = GaussianActor(sizes)
        self.optimizer = torch.optim.Adam(self.actor.parameters())
        self.logger = logger

    def update(self, data):
        for obs, act, logp, adv in DataLoader(data, 8):
            distribution = self.actor(obs)
            ratio = torch.exp(self.actor.log_prob(act) - logp)
            loss = -(ratio * adv).mean()
            self.logger.store({"entropy": distribution.entropy().mean().item()})
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
