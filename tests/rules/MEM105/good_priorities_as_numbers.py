# The rows of the loss become numbers before they are priorities; the rows of one batch are made again each time.

import torch


class Priorities:
    def __init__(self, size):
        self.values = [1.0] * size

    def renew(self, places, values):
        for place, value in zip(places, values):
            self.values[place] = value


def learn(net, memory, optimizer, width):
    priorities = Priorities(1_000_000)
    for places, states, returns in memory:
        loss = (net(states.cuda()).squeeze(1) - returns.cuda()).pow(2)
        sorted_rows = [None] * width
        for place, row in zip(places, loss):
            sorted_rows[place] = row
        optimizer.zero_grad()
        torch.stack(sorted_rows).mean().backward()
        optimizer.step()
        priorities.renew(places, loss.detach().cpu().numpy())
