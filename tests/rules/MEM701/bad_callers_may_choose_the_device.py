# Callers in view leave the device out. Others may choose one, which another value would ignore: no fix.

import torch
from torch import nn


class Regression:
    def __init__(self):
        self._model = nn.Linear(8, 1)

    def load_model(self, path, map_location=None):
        data = torch.load(path, map_location=map_location, weights_only=False)  #! MEM701 warning
        self._model.load_state_dict(data)
        self._model = self._model.cuda()

    def run(self, path):
        self.load_model(path)
