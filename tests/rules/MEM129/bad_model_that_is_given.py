# the constructor takes a network, which the file puts into evaluation mode

import functools

import torch


class Scorer:
    def __init__(self, model):
        self.model = model.eval()

    @functools.lru_cache(maxsize=1000)  #! MEM129 warning
    def score(self, text):
        return self.model(torch.ones(len(text)))
