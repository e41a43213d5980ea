# what the trainer calls for a step goes on with the loss, though the method that computes it is called evaluation

import torch
from solvers import BaseSolver


class Competitive(BaseSolver):
    def __init__(self, problem, model, discriminator):
        super().__init__(problem)
        self.model = model
        self.discriminator = discriminator

    def training_step(self, batch, batch_index):
        loss = self.batch_evaluation_step(batch)
        self.manual_backward(loss)
        return loss

    def batch_evaluation_step(self, batch):
        losses = {}
        for name, data in batch.items():
            losses[name] = self._condition_loss(name, data)
        return self.weighting.aggregate(losses)

    def _condition_loss(self, name, data):
        self.residual = self.problem.evaluate(name, data, self.model)
        self.residual = self.residual * self.discriminator(data["input"])
        return self._loss_from_residual(name)
