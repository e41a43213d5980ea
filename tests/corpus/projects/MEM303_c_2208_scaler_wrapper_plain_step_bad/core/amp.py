import torch


class AmpOptimizer:
    """An optimizer with its loss scaler."""

    def __init__(self, optimizer, enabled=True):
        self.optimizer = optimizer
        self.scaler = torch.amp.GradScaler("cuda", enabled=enabled)

    def zero_grad(self):
        self.optimizer.zero_grad(set_to_none=True)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        self.optimizer.step()  #! MEM303
        self.scaler.update()
