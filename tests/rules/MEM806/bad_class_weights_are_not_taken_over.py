# The mean is weighted by class: a finding without a fix.

import torch
from torch import nn
from torch.nn import functional as F


class Tagger(nn.Module):
    def __init__(self, width, num_tokens):
        super().__init__()
        self.head = nn.Linear(width, num_tokens)

    def forward(self, h, words, weight):
        return F.cross_entropy(self.head(h), words, weight=weight)  #! MEM806 advice
