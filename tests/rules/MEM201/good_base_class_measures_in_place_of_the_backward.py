# what the base class does in place of a backward is not what the class does that trains

import torch
from torch import nn


class Runner:
    def __init__(self, model, loader, objective):
        self.model, self.loader, self.objective, self.outputs = model, loader, objective, []

    def _run_backward(self, outputs, targets):
        self.objective.update(outputs.detach(), targets)

    def _run_batch(self, batch):
        inputs, targets = batch
        outputs = self.model(inputs)
        self._run_backward(outputs, targets)
        return outputs

    def _run_epoch(self):
        for batch in self.loader:
            outputs = self._run_batch(batch)
            self.outputs.append(outputs.detach().cpu())
