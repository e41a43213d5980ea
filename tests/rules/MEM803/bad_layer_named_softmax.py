# A layer under the name of the method; the mask is added in a branch.

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)
        self.scale = width**-0.5

    def forward(self, q, k, v, attn_mask=None):
        scores = torch.bmm(q, k.transpose(1, 2)) * self.scale  #! MEM803 advice
        if attn_mask is not None:
            scores = scores + attn_mask
        weights = self.softmax(scores)
        return torch.bmm(weights, v)
