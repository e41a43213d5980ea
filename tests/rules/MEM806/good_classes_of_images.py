# A thousand classes for each image are four kilobytes.

import torch
from torch import nn
from torch.nn import functional as F

CLASSES = 1000


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, CLASSES)

    def forward(self, x, y):
        logits = self.fc(x)
        return logits, F.cross_entropy(logits, y)
