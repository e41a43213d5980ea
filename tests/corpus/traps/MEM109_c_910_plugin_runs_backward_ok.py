"""A strategy hands module and optimizer on to its plugin's backward: those are no flags of a tensor's backward."""

import torch


class Strategy:
    def __init__(self, plugin, module: torch.nn.Module):
        self.plugin = plugin
        self.module = module

    def backward(self, closure_loss, optimizer: torch.optim.Optimizer, *args, **kwargs):
        assert self.module is not None
        self.plugin.backward(closure_loss, self.module, optimizer, *args, **kwargs)
        return closure_loss
