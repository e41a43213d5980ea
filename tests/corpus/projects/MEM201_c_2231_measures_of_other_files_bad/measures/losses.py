from abc import ABC, abstractmethod

import torch
from torch import nn


class Measure(nn.Module, ABC):
    @abstractmethod
    def forward(self, clean, noisy): ...


class SignalToNoise(Measure):
    def __init__(self, eps=1e-8):
        super().__init__()
        self.eps = eps

    def forward(self, clean, noisy):
        noise = (clean - noisy).pow(2).sum(-1)
        return 10 * torch.log10(clean.pow(2).sum(-1) / (noise + self.eps))


class LearnedMeasure(Measure):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16000, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, clean, noisy):
        return (self.net(clean) - self.net(noisy)).abs().mean()


class SmoothedMeasure(LearnedMeasure):
    def forward(self, clean, noisy):
        return super().forward(clean, noisy).sqrt()


class Smoothing(nn.Module):
    def __init__(self, width, learn=False):
        super().__init__()
        weights = nn.Parameter(torch.hann_window(width).view(1, 1, -1), requires_grad=learn)
        self.register_parameter("weights", weights)

    def forward(self, wave):
        return filtered(wave, self)


def filtered(wave, layer):
    return nn.functional.conv1d(wave, layer.get_parameter("weights"))
