import torch
from torch import nn


class CycleTrainer:
    def __init__(self, flow, opt, device):
        self.flow, self.opt, self.device = flow.to(device), opt, device
        self._reset()

    def _reset(self):
        self._nll = 0.0
        self._logdet = 0.0
        self._batches = 0

    def _forward(self, x):
        z, logdet = self.flow(x)
        prior = -0.5 * (z ** 2 + 1.8378770664).sum(-1)
        return -(prior + logdet).mean(), logdet.mean()

    def train_batch(self, x):
        nll, ld = self._forward(x.to(self.device))
        self.opt.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(self.flow.parameters(), 50.0)
        self.opt.step()
        self._nll += nll  #! MEM101
        self._logdet += ld  #! MEM101
        self._batches += 1

    def end_epoch(self, ep):
        n = max(1, self._batches)
        print(f"[{ep}] nll {float(self._nll) / n:.3f} logdet {float(self._logdet) / n:.3f}")
        self._reset()

    def fit(self, loader, epochs):
        for ep in range(epochs):
            self.flow.train()
            for x, *_ in loader:
                self.train_batch(x)
            self.end_epoch(ep)
