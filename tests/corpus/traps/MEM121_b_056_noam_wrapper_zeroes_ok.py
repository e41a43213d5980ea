import torch
from torch import nn


class ScheduledOptim:
    def __init__(self, optimizer, d_model, warmup):
        self._optimizer, self.d, self.w, self.n = optimizer, d_model, warmup, 0

    def step_and_update_lr(self):
        self.n += 1
        lr = self.d ** -0.5 * min(self.n ** -0.5, self.n * self.w ** -1.5)
        for g in self._optimizer.param_groups:
            g["lr"] = lr
        self._optimizer.step()

    def zero_grad(self):
        self._optimizer.zero_grad()


def train_epoch(model, data, optimizer):
    total, words = 0, 0
    for src, tgt in data:
        optimizer.zero_grad()
        pred = model(src, tgt[:, :-1])
        loss = nn.functional.cross_entropy(pred.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=0, reduction="sum")
        loss.backward()
        optimizer.step_and_update_lr()
        words += tgt.ne(0).sum().item()
        total += loss.item()
    return total / words
