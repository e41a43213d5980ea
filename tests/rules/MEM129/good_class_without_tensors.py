# what the objects keep are strings and numbers: no tensor stays alive

import functools

import torch


class Vocabulary:
    def __init__(self, path):
        self.words = open(path).read().split()
        self.scores = torch.tensor([1.0, 2.0]).mean().item()

    @functools.lru_cache(maxsize=None)
    def number(self, word):
        return self.words.index(word)
