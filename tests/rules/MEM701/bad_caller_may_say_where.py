# where the caller says nothing, nothing is said

import torch
from torch import nn


class Net:
    def __init__(self):
        self.net = nn.Linear(4, 2).cuda()

    def fit(self):
        self.load("best.pt")

    def load(self, path, where=None):
        if where is not None:
            self.net.load_state_dict(torch.load(path, map_location=where))
        else:
            self.net.load_state_dict(torch.load(path))  #! MEM701 warning


Net().fit()
