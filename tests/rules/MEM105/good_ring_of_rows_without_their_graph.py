# The rows go into the ring without their graph, and as numbers.

import torch


class Ring:
    def __init__(self, capacity):
        self.rows = [None] * capacity
        self.place = 0

    def push(self, graph, score):
        self.rows[self.place] = (graph, score)
        self.place = (self.place + 1) % len(self.rows)


def run(model, loader, optimizer):
    ring = Ring(100_000)
    for graphs in loader:
        scores = model(graphs.cuda())
        for i, value in enumerate(scores.detach().exp().tolist()):
            ring.push(i, value)
        loss = scores.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
