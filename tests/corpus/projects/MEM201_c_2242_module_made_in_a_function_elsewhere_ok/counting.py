"""What a call comes to: functions are wrapped into a module that is made right here."""
import torch


def count(module, *args):
    class Wrapped(torch.nn.Module):
        def __init__(self, func):
            super().__init__()
            self.func = func

        def forward(self, *args):
            return self.func(*args)

    if not isinstance(module, torch.nn.Module):
        module = Wrapped(module)
    module.zero_grad()
    return module(*args).sum()
