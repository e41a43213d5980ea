# a mean of what was recorded: nothing but code out of view says that it has a graph

from collections import deque

import torch
from data import batch_of


def distance(guess, target):
    return ((guess - target) ** 2).mean()


def learn(place, agent, batch, optimizer, recent):
    target = torch.flatten(batch["target"].to("cuda"), 0, 1)
    returns = batch["returns"][batch["done"]]
    recent[place].append(torch.mean(returns).to("cuda"))
    loss = distance(agent.forward(batch["state"]), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class Player:
    def __init__(self, players):
        self.recent = [deque() for _ in range(players)]

    def start(self, learner, optimizers, frames):
        def learn_from_batches(place):
            done = 0
            while done < frames:
                batch = batch_of(place)
                learn(place, learner.get(place), batch, optimizers[place], self.recent)
                done += 100

        learn_from_batches(0)
