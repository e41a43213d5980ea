# k scores, each with each: what `topk` chooses are few

import torch
from torch import nn


class Corners(nn.Module):
    def decode(self, scores, corners, k=100):
        batch = scores.size(0)
        first, places = torch.topk(scores.view(batch, -1), k)
        second, _ = corners.view(batch, -1).topk(k=k)
        first = first.view(batch, k, 1).repeat(1, 1, k)
        second = second.view(batch, 1, k).repeat(1, k, 1)
        return (first + second) / 2

    def forward(self, tokens, queries):
        bias = self.bias(tokens).unsqueeze(1).repeat(1, self.num_base_priors, 1)
        return torch.matmul(queries, tokens.transpose(1, 2)) + bias
