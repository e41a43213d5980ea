# a step for each layer of one batch, and the gradients are zeroed when all layers had theirs

import torch


class Truncated:
    def __init__(self, optimizer=None):
        self.optimizer = optimizer
        self.outputs = {}

    def on_batch_begin(self, trainer):
        self.optimizer.zero_grad()

    def on_batch_end(self, trainer):
        for name in self.outputs:
            if self.outputs[name]:
                self._backward(trainer, name)
                self.optimizer.step()
        self.outputs.clear()
        self.optimizer.zero_grad()

    def _backward(self, trainer, name):
        guess = torch.stack(self.outputs[name], dim=1)
        loss = trainer.criterion(guess, trainer.target[name])
        loss.backward()
