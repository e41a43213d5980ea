# the scaler is an argument, and nothing is scaled here: its owner updates it once after all steps

import torch
from torch.amp import GradScaler


class Optimizers:
    def __init__(self, optimizers, norms):
        self.optimizers = optimizers
        self.norms = norms

    def step_all(self, grad_scaler: GradScaler):
        for name, optimizer in self.optimizers.items():
            if self.norms[name]:
                grad_scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], self.norms[name])
            grad_scaler.step(optimizer)
