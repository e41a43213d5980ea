# nothing but a name says what the model is

import functools

import torch


class Prices:
    def __init__(self, model):
        self.model = model
        self.scale = torch.ones(1).item()

    @functools.lru_cache(maxsize=1000)
    def of(self, year):
        return self.model[year] * self.scale
