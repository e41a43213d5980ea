# each term is computed from the state that the step before has left, by methods of a model out of view

import torch

from world import Actor, Reward, World


class Dreamer:
    def __init__(self, sizes):
        self.world, self.reward = World(sizes).cuda(), Reward(sizes).cuda()
        self.actor = Actor(sizes).cuda()
        self.optimizer = torch.optim.Adam(self.actor.parameters())

    def train(self, z, h):
        total = 0
        for _ in range(15):
            action = self.actor(z, h)
            prior, h = self.world.step(z, action, h)
            z = prior.rsample()
            total = total + self.reward(z, h).mean()
        self.optimizer.zero_grad()
        (-total).backward()
        self.optimizer.step()
