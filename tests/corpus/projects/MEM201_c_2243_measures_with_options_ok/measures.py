"""Measures of pictures: modules that hold functions and options, and no weights."""

import torch


class Measure(torch.nn.Module):
    def __init__(self, measure=None, norm=None, reduction="mean"):
        super().__init__()
        self._measure = measure
        self.norm = lambda x: x if norm is None else x / norm
        self.reducer = lambda x: x.mean()
        if reduction == "sum":
            self.reducer = lambda x: x.sum()

    def __add__(self, other):
        return Measure(lambda x, y: self(x, y) + other(x, y))

    def measure(self, found, wanted):
        return self._measure(found, wanted)

    def forward(self, found, wanted):
        return self.reducer(self.measure(self.norm(found), self.norm(wanted)))


class PSNR(Measure):
    def __init__(self, peak=1.0, **options):
        super().__init__(**options)
        self.peak = peak

    def measure(self, found, wanted):
        error = self.Mean_of((found - wanted) ** 2)
        return 10 * torch.log10(self.peak**2 / error)

    def Mean_of(self, values):
        return values.mean(dim=(1, 2, 3))
