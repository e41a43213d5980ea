# one of several networks out of the optimizer gets what the actor in training gives, joined with data

import torch


class Agent:
    def __init__(self, actor, critic, make):
        self.actor, self.critic = actor.cuda(), critic.cuda()
        self.critics_target = [make().cuda() for _ in range(2)]
        self.actor_opt = torch.optim.Adam(self.actor.parameters())

    def improve(self, loader):
        for s in loader:
            a = self.actor(s)
            value = torch.stack([self.critics_target[i](torch.cat([s, a], 1)) for i in range(2)])
            self.actor_opt.zero_grad()
            (-value.mean()).backward()
            self.actor_opt.step()
