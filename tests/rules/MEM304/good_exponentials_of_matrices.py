# The constraint is the trace of a matrix exponential, which float32 cannot hold.

import torch
from torch import nn


class Structure(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.edges = nn.Linear(size, size).to("cuda").double()

    def cycles(self):
        return torch.linalg.matrix_exp(self.edges.weight.square()).trace() - len(self.edges.weight)
