import copy

import torch


class EMA:
    def __init__(self, beta):
        self.beta = beta

    def update_average(self, old, new):
        if old is None:
            return new
        return old * self.beta + (1 - self.beta) * new


def update_moving_average(updater, ma_model, model):
    for current, ma in zip(model.parameters(), ma_model.parameters()):
        ma.data = updater.update_average(ma.data, current.data)
