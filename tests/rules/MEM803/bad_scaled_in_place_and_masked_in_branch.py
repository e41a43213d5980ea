# augmented assignments, a mask that is added, a softmax layer, values on the left of the product

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.soft = nn.Softmax(dim=-1)
        self.dropout = nn.Dropout(0.1)

    def forward(self, q, k, v, mask=None):
        scores = torch.matmul(q, k.transpose(-1, -2))  #! MEM803 advice
        scores *= self.scale
        if mask is not None:
            scores = scores + mask
        weights = self.soft(scores)
        weights = self.dropout(weights)
        print(weights.shape)
        return torch.matmul(v.transpose(-1, -2), weights.transpose(-1, -2))
