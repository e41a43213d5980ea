# Each row of the loss becomes the priority of a sample, in a list as long as the memory: graphs of many steps stay.

import torch


class Priorities:
    def __init__(self, size):
        self.values = [1.0] * size

    def renew(self, places, values):
        for place, value in zip(places, values):
            self.values[place] = value


def learn(net, target, memory, optimizer):
    priorities = Priorities(1_000_000)
    for places, states, returns in memory:
        loss = (net(states.cuda()).squeeze(1) - returns.cuda()).pow(2)
        optimizer.zero_grad()
        loss.mean().backward()
        optimizer.step()
        priorities.renew(places, loss)  #! MEM105 warning
