# The place in the ring moves on with each row of each batch, so the ring fills with the graphs of all batches.

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
        aside = scores.exp()
        for i in range(len(graphs)):
            ring.push(i, aside[i])  #! MEM105 error
        loss = scores.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
