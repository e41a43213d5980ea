# an index of embeddings: the file makes none, its constructor says what it keeps

import functools as ft

import torch

SIZE = None


class Bank:
    def __init__(self, path):
        self.rows = torch.load(path, map_location="cpu")

    @ft.lru_cache(SIZE)  #! MEM129 warning
    def row(self, word):
        return self.rows[word]
