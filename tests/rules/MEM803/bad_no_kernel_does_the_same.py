# fills that are finite, scores that are read elsewhere or bound late, scales that are tensors, three dimensions,
# masks in float32, factors that are changed in between

import torch
from torch import nn


class Tempered(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, q, k, v):
        scores = q @ k.transpose(-2, -1) * self.scale  #! MEM803 advice
        return scores.softmax(-1) @ v


def finite(q, k, v, mask):
    scores = (q @ k.transpose(-2, -1)).masked_fill(mask == 0, -1e9)  #! MEM803 advice
    return scores.softmax(-1) @ v


def read(q, k, v):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    weights = scores.softmax(-1)
    return weights @ v, scores.max()


def bound(q, k, v):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    q = q + 1
    weights = scores.softmax(-1)
    return weights @ v + q


def changed(q, k, v):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    k.zero_()
    return scores.softmax(-1) @ v


def scaled_last(q, k, v, mask):
    scores = (q @ k.transpose(-2, -1) + mask) / 8  #! MEM803 advice
    return scores.softmax(-1) @ v


def three(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2)) / 8  #! MEM803 advice
    return torch.bmm(scores.softmax(-1), v)


def any_layer(q, k, v, drop):
    scores = q @ k.transpose(-2, -1) / 8  #! MEM803 advice
    return drop(scores.softmax(-1)) @ v


def in_float32(q, k, v):
    scores = q @ k.transpose(-2, -1) / 8  #! MEM803 advice
    return scores.float().softmax(-1) @ v


def at_some_temperature(q, k, v, temperature):
    scores = q @ k.transpose(-2, -1) / temperature**0.5  #! MEM803 advice
    return scores.softmax(-1) @ v


def masked_in_float32(q, k, v, mask):
    scores = (q @ k.transpose(-2, -1)).float() + mask  #! MEM803 advice
    return scores.softmax(-1).to(q.dtype) @ v


def doubled_beside(q, k, v):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    twice = q.mul_(2)
    return scores.softmax(-1) @ v + twice
