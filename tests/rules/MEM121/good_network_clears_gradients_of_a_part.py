# a method of the network out of view, by its name, clears what the optimizer steps

import torch

from nets import ActorCritic


class Learner:
    def __init__(self, config):
        self.lr_actor = config.lr_actor
        self.model = ActorCritic().cuda()
        self.optimizer = torch.optim.Adam(self.model.actor_params(), lr=self.lr_actor)

    def learn(self, loader):
        for obs, action in loader:
            loss = self.model.actor_loss(obs, action)
            self.model.clear_actor_grad()
            loss.backward()
            self.optimizer.step()


def learn(model, optimizer, tools, loader):
    for x in loader:
        loss = model(x).sum()
        tools.set_grads_to_none(model.parameters())
        loss.backward()
        optimizer.step()
