# the method of that name is called in place of the assignment, also where a whole module is meant

from torch import nn


class Agent:
    def __init__(self):
        self.critic, self.actor = nn.Linear(3, 1), nn.Linear(3, 3)

    def improve(self, x, optimizer):
        self.critic.requires_grad_ = False  #! MEM908 error
        optimizer.zero_grad()
        (-self.critic(self.actor(x)).mean()).backward()
        optimizer.step()

    def freeze(self):
        self.actor.require_grad = False  #! MEM908 error
