from typing import List

import torch


class LossWindow:
    def __init__(self, size: int) -> None:
        self.size = size
        self.values: List[torch.Tensor] = []

    def append(self, loss: torch.Tensor) -> None:
        if len(self.values) >= self.size:
            self.values = self.values[-self.size:]
        self.values.append(loss)

    def average(self) -> torch.Tensor:
        return torch.stack(self.values).mean()


def train(model, loader, opt, loss_fn, patience=5):
    window, best, bad = LossWindow(50), None, 0
    for x, y in loader:
        loss = loss_fn(model(x), y)
        window.append(loss.clone().detach())
        avg = window.average()
        if best is None or avg < best:
            best, bad = avg.clone(), 0
        else:
            bad += 1
            if bad > patience:
                break
        loss.backward()
        opt.step()
        model.zero_grad()
