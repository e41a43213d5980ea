# a buffer hides positions, a layer drops some, and one line computes the scale; a mask that may be missing

import math

import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("seen", torch.tril(torch.ones(length, length))[None, None])

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))  #! MEM803 advice
        scores = scores.masked_fill(self.seen[:, :, :t, :t] == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        weights = self.drop(weights)
        out = weights @ v  # heads are put together below
        return out.transpose(1, 2).reshape(b, t, c)


class Biased(nn.Module):
    def __init__(self, width, heads=4, rate=0.0):
        super().__init__()
        size = width // heads
        self.rate, self.scale = rate, size**-0.5

    def forward(self, q, k, v, mask=None):
        scores = torch.matmul(q, k.transpose(2, 3)) * self.scale  #! MEM803 advice
        if mask is not None:
            scores = scores + mask
        scores = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        scores = F.dropout(scores, p=self.rate, training=self.training)
        return torch.matmul(scores, v)


def of_pictures(q, k, v):
    map_of = torch.einsum("b h d i, b h d j -> b h i j", q, k).softmax(dim=-1)  #! MEM803 advice
    return torch.einsum("b h i j, b h d j -> b h d i", map_of, v)


def short(q, k, v, hidden):
    scores = q @ k.mT / q.shape[-1] ** 0.5  #! MEM803 advice
    if hidden is not None:
        scores = scores.masked_fill(~hidden, -torch.inf)
    return torch.softmax(scores, -1) @ v


def of_whole_numbers(q, k, v, mask, busy=False):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    scores += (1 - mask) * -10
    weights = F.dropout(scores.softmax(-1), 0.5 if q.requires_grad else 0.1, busy)
    return weights @ v
