# Fault injection: for every trial an injector is made around the same network.
import random

import torch
from torch import nn


class FaultInjector:
    def __init__(self, model, rate):
        self.rate = rate
        self.log = []
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                self.handles.append(module.register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(module, inputs, output):
            mask = torch.rand_like(output) < self.rate
            self.log.append((name, int(mask.sum())))
            return torch.where(mask, torch.zeros_like(output), output)

        return hook

    def close(self):
        for handle in self.handles:
            handle.remove()
        self.handles.clear()


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def campaign(net, x, y, trials=100):
    scores = []
    for trial in range(trials):
        injector = FaultInjector(net, rate=random.choice([1e-3, 1e-2]))
        scores.append(accuracy(net, x, y))
        print(trial, len(injector.log), scores[-1])
        injector.close()
    return scores


if __name__ == "__main__":
    net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 26 * 26, 10))
    print(sum(campaign(net, torch.randn(32, 1, 28, 28), torch.randint(0, 10, (32,)))))
