# One loss for each criterion of a step, under its name: few, and gone with the step.

import torch


class Trainer:
    def __init__(self, graph, losses: dict, optimizer):
        self.graph, self.losses, self.optimizer = graph, losses, optimizer

    def one_iteration(self, inputs):
        results = self.graph(inputs)
        losses = {}
        for name, (node, loss_fn) in self.losses.items():
            loss = loss_fn(results[node])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses[node] = loss
        return losses, results

    def __iter__(self):
        for i, batch in enumerate(self.data):
            losses, results = self.one_iteration(batch)
            yield i, losses, results
