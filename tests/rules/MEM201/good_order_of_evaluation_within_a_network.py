# a network evaluates its heads in an order: that is its forward pass

import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.body = nn.LSTM(width, width)
        self.eval_order = sorted(heads)
        self.hidden = nn.ModuleDict({name: nn.Linear(width, width) for name in heads})
        self.out = nn.ModuleDict({name: nn.Linear(width, heads[name]) for name in heads})

    def forward(self, x):
        out, _ = self.body(x)
        predictions = {}
        for name in self.eval_order:
            hidden = F.relu(self.hidden[name](out))
            predictions[name] = self.out[name](hidden).max(2)[1]
        return [predictions[name] for name in sorted(predictions)]
