# who calls may leave it at None, but not where the file is read

import torch
from torch import nn


class Loads:
    def __init__(self):
        self.net = nn.Linear(4, 2).cuda()

    def fit(self):
        self.asked("best.pt")
        self.filled("best.pt")
        self.left("best.pt")
        self.chosen("best.pt")

    def asked(self, path, where=None):
        if path and where is not None:
            self.net.load_state_dict(torch.load(path, map_location=where))

    def filled(self, path, where=None):
        if not where:
            where = "cpu"
        self.net.load_state_dict(torch.load(path, map_location=where))

    def left(self, path, where=None):
        if where is None:
            return
        self.net.load_state_dict(torch.load(path, map_location=where))

    def chosen(self, path, where=None):
        state = torch.load(path, map_location=where) if where else None
        self.net.load_state_dict(state)


Loads().fit()
